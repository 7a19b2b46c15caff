import Testing
import WharfChecks
import WharfCore

@testable import WharfRepository

@Suite struct WaitingChangeTests {
    @Test func waitingChangeRoundTripsThroughItsPayload() async throws {
        let changes = Generator<WaitingChange> { choices in
            WaitingChange(
                try choices.draw(.element(of: [.add, .edit, .delete])), id: try choices.draw(.string()),
                schema: try choices.draw(.int(in: 0...9)), isShown: try choices.draw(.bool),
                validator: try choices.draw(.optional(.string())), chain: try choices.draw(.string()),
                behind: try choices.draw(.array(of: .string(), count: 0...4)).filter { !$0.isEmpty }.map {
                    WaitingChange.Name($0)
                },
                former: try choices.draw(.optional(.string())), version: try choices.draw(.optional(.string())),
                revision: try choices.draw(.optional(.string())),
                bytes: try choices.draw(.array(of: .int(in: 0...255), count: 0...32)))
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
