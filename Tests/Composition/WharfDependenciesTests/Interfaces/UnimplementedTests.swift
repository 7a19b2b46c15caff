import Testing
import WharfChecks
import WharfDependencies

@Suite struct UnimplementedTests {
    private let unimplemented = ProfileReading.unimplemented

    @Test func anEndpointThatThrowsFailsTheTestByItsNameAndThrows() async throws {
        try await failing("as in ProfileReading.unimplemented.overriding(…)") {
            await #expect(throws: (any Error).self) { try await unimplemented.readProfile(ofUser: "Ann") }
        }
    }

    @Test func anEndpointThatThrowsOutsideOfATestThrowsDependencyError() async throws {
        let error = await #expect(throws: DependencyError.self) {
            try await App().run { try await unimplemented.readProfile(ofUser: "Ann") }
        }
        #expect(error?.code == .unimplemented)
        #expect(error?.message.contains("as in ProfileReading.unimplemented.overriding(…)") == true)
    }

    @Test func overloadsFailByTheirFullNames() async throws {
        try await failing("ProfileReading.readProfile(byEmail:) was called") {
            _ = try await unimplemented.readProfile(byEmail: "a")
        }
    }

    @Test func anEndpointThatReturnsNothingFailsTheTestAndReturns() async throws {
        try await failing("ProfileReading.markRead(_:) was called") { unimplemented.markRead(1) }
    }

    @Test func anEndpointThatCannotThrowFailsTheTestAndReturnsItsDefault() async throws {
        try await failing("ProfileReading.unread() was called") { #expect(unimplemented.unread() == 0) }
    }

    @Test func mainActorEndpointFailsTheTest() async throws {
        try await failing("ProfileReading.present(profile:) was called") {
            #expect(await unimplemented.present(profile: .ann).isEmpty)
        }
    }

    @Test func endpointCalledInATaskFailsTheTest() async throws {
        try await failing("ProfileReading.unread() was called") {
            _ = await Task { unimplemented.unread() }.value
        }
    }

    @Test func overriddenEndpointFailsNothing() async throws {
        let reading = unimplemented.overriding(readProfile: { _ in .ann })
        #expect(try await reading.readProfile(ofUser: "x") == .ann)
    }

    @Test func failureIsLocatedAtTheTest() {
        withKnownIssue {
            unimplemented.markRead(1)
        } matching: { issue in
            issue.sourceLocation?.fileName == "UnimplementedTests.swift"
                && issue.sourceLocation?.line == Test.current?.sourceLocation.line
        }
    }

    @Test func aNameWithoutAnInterfaceGivesAShorterHint() async throws {
        try await failing(
            "load() was called, but has no implementation here; give it a closure, as in .unimplemented.overriding(…)"
        ) {
            unimplementedEndpoint("load()", default: ())
        }
    }
}

/// Expects exactly one failure of this test, with a message that contains the text.
private func failing(
    _ text: String, at location: SourceLocation = #_sourceLocation, _ operation: () async throws -> Void
) async throws {
    try await withKnownIssue(sourceLocation: location) {
        try await operation()
    } matching: { issue in
        issue.comments.contains { $0.rawValue.contains(text) }
    }
}
