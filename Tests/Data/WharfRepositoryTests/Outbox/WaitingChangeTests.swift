import Testing
import WharfChecks
import WharfCore

@testable import WharfRepository

@Suite struct WaitingChangeTests {
    @Test func waitingChangeRoundTripsThroughItsPayload() async throws {
        let changes = Generator<WaitingChange> { choices in
            var change = WaitingChange(
                try choices.draw(.element(of: [.add, .edit, .delete])), id: try choices.draw(.string()),
                schema: try choices.draw(.int(in: 0...9)), isShown: try choices.draw(.bool),
                chain: try choices.draw(.string()),
                bytes: try choices.draw(.array(of: .int(in: 0...255), count: 0...32)))
            change.validator = try choices.draw(.optional(.string()))
            change.behind = try choices.draw(.array(of: .string(), count: 0...4)).filter { !$0.isEmpty }.map {
                WaitingChange.Reference($0)
            }
            change.former = try choices.draw(.optional(.string()))
            change.version = try choices.draw(.optional(.string()))
            change.revision = try choices.draw(.optional(.string()))
            return change
        }
        try await forAll(changes, runs: 500) { change in
            try require(
                WaitingChange(change.payload) == change,
                "\(change) was read as \(WaitingChange(change.payload).map { "\($0)" } ?? "none")")
        }
    }

    @Test func invalidBytesAreNoWaitingChange() {
        for text in ["", "edit", "edit\n\n", "swap\nid 1\nschema 1\nchain a\n\n", "edit\nid 1\nschema x\nchain a\n\n"] {
            #expect(WaitingChange(Array(text.utf8)) == nil, "\(text)")
        }
    }
}
