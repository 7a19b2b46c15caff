import Testing
import WharfChecks
import WharfDependencies

@Suite struct WrittenInterfaceTests {
    private let live = ProfileReading(ProfileService())

    @Test func endpointsAreCalledWithArgumentLabels() async throws {
        #expect(try await live.readProfile(ofUser: "Ann").name == "Ann")
        #expect(live.names(for: ["a", "b"], 1) == ["a"])
        #expect(live.summary == "3 unread")
        var count = 1
        try live.take(count: &count)
        #expect(count == 2)
        live.markRead(1)
    }

    @Test func overloadsShareAName() async throws {
        #expect(try await live.readProfile(byEmail: "a@example.com").name == "at a@example.com")
    }

    @Test func genericEndpointReturnsTheRequestedType() async throws {
        let text: String = try await live.read(type: String.self, at: "here")
        #expect(text == "here")
        await #expect(throws: NotHere.self) { try await live.read(type: Int.self, at: "here") }
    }

    @Test func typedThrowsKeepTheirErrorType() {
        do throws(NotHere) {
            _ = try live.strict()
        } catch {
            #expect(error == NotHere())
        }
    }

    @MainActor @Test func mainActorEndpointIsCalledSynchronously() {
        #expect(live.present(.ann) == "presented Ann")
        var shown: [Profile] = []
        let screen = Screen(show: { shown.append($0) }, load: { Profile(name: $0) })
        screen.show(profile: .ann)
        #expect(shown == [.ann])
    }

    @Test func nestedInterfaceUsesTheSameService() {
        #expect(live.settings.theme() == "dark")
    }

    @Test func actorCanBeAService() async throws {
        let counting = Counting(Counter())
        #expect(try await counting.add(number: 2) == 2)
        #expect(try await counting.add(number: 3) == 5)
        await counting.reset()
        #expect(try await counting.add(number: 1) == 1)
    }

    @Test func endpointsWithAliasedClosureTypesWorkAlike() async throws {
        let lookup = Directory(ProfileService()).overriding(unread: { 9 })
        #expect(try await lookup.readProfile(ofUser: "Ann").name == "Ann")
        #expect(lookup.unread() == 9)
        try await failing("Directory.readProfile(ofUser:)") {
            _ = try await Directory.unimplemented.readProfile(ofUser: "Ann")
        }
    }

    @MainActor @Test func protocolCanBeAService() {
        #expect(Greeter(English()).greet(name: "Ann") == "Hello Ann")
        #expect(Greeter(English()).wave(times: 2) == "o/o/")
    }

    @Test func aGenericInterfaceKeepsItsParameters() async throws {
        let store = Store<Int>(load: { $0.count }, save: { _, _ in }, changes: { .init { $0.finish() } })
        #expect(try await store.load(key: "abc") == 3)
        try await store.save(value: 1, key: "a")
        let fixed = store.overriding(load: { _ in nil })
        #expect(try await fixed.load(key: "abc") == nil)
    }

    @Test func overridingReplacesTheNamedEndpointAndNoOther() async throws {
        let overridden = live.overriding(unread: { 9 }, settings: .init(theme: { "light" }))
        #expect(overridden.unread() == 9)
        #expect(overridden.settings.theme() == "light")
        #expect(overridden.nickname() == "Annie")
        #expect(live.unread() == 3)
    }

    @Test func unimplementedEndpointsFailTheTestByTheirNames() async throws {
        let unimplemented = ProfileReading.unimplemented
        try await failing("ProfileReading.readProfile(ofUser:)") {
            _ = try await unimplemented.readProfile(ofUser: "a")
        }
        try await failing("ProfileReading.readProfile(byEmail:)") {
            _ = try await unimplemented.readProfile(byEmail: "a")
        }
        try await failing("ProfileReading.unread()") { #expect(unimplemented.unread() == 0) }
        try await failing("ProfileReading.names(for:_:)") { #expect(unimplemented.names(for: [], 1) == []) }
        try await failing("ProfileReading.nickname()") { #expect(unimplemented.nickname() == nil) }
        try await failing("ProfileReading.strict()") {
            let value = try unimplemented.strict()
            #expect(value == 7)
        }
        try await failing("ProfileReading.markRead(_:)") { unimplemented.markRead(1) }
        try await failing("ProfileReading.Settings.theme()") { #expect(unimplemented.settings.theme() == "") }
        try await failing("Store.load(key:)") {
            _ = try await Store<Int>.unimplemented.load(key: "a")
        }
    }

    private func failing(
        _ endpoint: String, at location: SourceLocation = #_sourceLocation, _ operation: () async throws -> Void
    ) async throws {
        try await withKnownIssue(sourceLocation: location) {
            try await operation()
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("\(endpoint) was called") }
        }
    }
}
