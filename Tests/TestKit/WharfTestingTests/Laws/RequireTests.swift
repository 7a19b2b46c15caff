import Testing
import WharfChecks

@Suite struct RequireTests {
    private struct Failure: Error, Equatable { var code: Int }
    private struct Foreign: Error {}
    // Unchecked, as a class with subclasses can't be checked. They have no state.
    private class Known: Error, @unchecked Sendable {}
    private final class Special: Known, @unchecked Sendable {}

    private func found(_ body: @escaping @Sendable () async throws -> Void) async throws -> String {
        let violation = try await #require(throws: LawViolation.self) {
            try await Law<String>("law") { _ in try await body() }.check("subject")
        }
        #expect(
            violation.counterexample == nil
                && violation.description == "subject breaks the law \"law\": \(violation.found)")
        return violation.found
    }

    @Test func allowedValueOrErrorIsReturned() async throws {
        let value = try await require(onlyThrowing: Failure.self) { 7 }
        #expect(value == .success(7))
        let failure: Result<Int, Failure> = try await require(onlyThrowing: Failure.self) { throw Failure(code: 1) }
        #expect(failure == .failure(Failure(code: 1)))
        // An instance of a subclass counts as an error of the class.
        try await require(onlyThrowing: Known.self) { throw Special() }
    }

    @Test func anErrorOfAnotherTypeBreaksTheLaw() async throws {
        let found = try await found { try await require(onlyThrowing: Failure.self) { throw Foreign() } }
        #expect(found == "it threw Foreign: Foreign(), which the contract does not allow")
    }

    @Test func anErrorOfAnotherCodeBreaksTheLaw() async throws {
        let found = try await found {
            try await require(onlyThrowing: Failure.self, where: { $0.code == 1 }) { throw Failure(code: 2) }
        }
        #expect(found == "it threw Failure: Failure(code: 2), which the contract does not allow")
    }

    @Test func nestedRequirementKeepsItsMessage() async throws {
        let found = try await found {
            try await require(onlyThrowing: Failure.self) { try require(1 > 2, "one was not more than two") }
        }
        #expect(found == "one was not more than two")
    }
}
