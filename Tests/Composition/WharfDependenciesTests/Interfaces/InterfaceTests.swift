import Testing
import WharfDependencies

@Suite struct InterfaceTests {
    private let live = ProfileReading(ProfileService())

    @Test func endpointsAreCalledWithArgumentLabels() async throws {
        #expect(try await live.readProfile(ofUser: "Ann").name == "Ann")
        #expect(try await live.readProfile(byEmail: "ann@example.com").name == "at ann@example.com")
        #expect(live.unread() == 3)
        #expect(await live.present(profile: .ann) == "presented Ann")
    }

    @Test func genericEndpointReturnsTheRequestedType() async throws {
        let text: String = try await live.read(type: String.self, at: "here")
        #expect(text == "here")
    }

    @Test func genericEndpointOfWrongTypeThrowsNamingBothTypes() async throws {
        let wrong = live.overriding(read: { _, _ in 7 })
        let error = await #expect(throws: DependencyError.self) { try await wrong.read(type: String.self, at: "here") }
        #expect(error?.code == .wrongType)
        #expect(
            error?.message.contains("ProfileReading.read(type:at:) was asked for String, but its closure returned Int")
                == true)
    }

    @Test func overridingReplacesTheNamedEndpointAndNoOther() async throws {
        let overridden = live.overriding(readProfile: { _ in Profile(name: "Bob") })
        #expect(try await overridden.readProfile(ofUser: "Ann").name == "Bob")
        #expect(try await overridden.readProfile(byEmail: "a").name == "at a")
        #expect(overridden.unread() == 3)
        #expect(try await live.readProfile(ofUser: "Ann").name == "Ann", "the one it was made of stays as it was")
    }
}
