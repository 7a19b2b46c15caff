import Testing
import WharfChecks
import WharfPresentation

@Suite struct ListStageValidationTests {
    typealias Stage = ListStage<String, Row>

    /// Validation refuses exactly the batches that a table would refuse, for computed and for
    /// random batches.
    @Test func stageIsRefusedExactlyIfTheTableWouldRaise() async throws {
        try await forAll(Self.attempts, runs: 4_000) { attempt in
            var table = ShownTable(attempt.old)
            let raised = failure { try table.perform(attempt.stage) }
            let refused = failure {
                try attempt.stage.validate(
                    shown: attempt.old.map(\.elements.count), source: attempt.stage.sections.map(\.elements.count))
            }
            try require((raised == nil) == (refused == nil), "raised: \(raised ?? "-"), refused: \(refused ?? "-")")
        }
    }

    private func failure(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch { return "\(error)" }
    }

    private struct Attempt: Sendable, CustomStringConvertible {
        let old: [Section]
        let stage: Stage

        var description: String { "\(ListPair.text(old)): \(stage)" }
    }

    /// The first batch of a computed change with some parts removed or added, or a few random
    /// changes of each kind.
    private static let attempts = Generator { choices in
        let pair = try choices.draw(ListPair.any)
        var stage = ListChanges(from: pair.old, to: pair.new).stages.first ?? Stage(sections: pair.new)
        let index = Generator<Int>.int(in: -1...5)
        for _ in 0..<(try choices.draw(.int(in: 0...2))) {
            let position = Generator { choices in
                ListPosition(section: try choices.draw(index), row: try choices.draw(index))
            }
            let (at, to) = (try choices.draw(position), try choices.draw(position))
            switch try choices.draw(.int(in: 0...12)) {
            case 0: stage.deletedRows.append(at)
            case 1: stage.insertedRows.append(at)
            case 2: stage.movedRows.append(ListMove(from: at, to: to))
            case 3: stage.changedRows.append(at)
            case 4: stage.deletedSections.append(at.section)
            case 5: stage.insertedSections.append(at.section)
            case 6: stage.movedSections.append(ListMove(from: at.section, to: to.section))
            case 7: stage.changedSections.append(at.section)
            case 8: stage.reloadedRows.append(at)
            case 9: _ = stage.deletedRows.popLast()
            case 10: _ = stage.insertedRows.popLast()
            case 11: stage.sections = pair.old
            default: stage.sections = try choices.draw(ListPair.sections)
            }
        }
        return Attempt(old: pair.old, stage: stage)
    }

    private static let list = [ListSection(id: "a", elements: [Row(1), Row(2)])]
    private static let first = ListPosition(section: 0, row: 0)
    private static let second = ListPosition(section: 0, row: 1)

    @Test func countMismatchIsReportedWithItsCounts() throws {
        let stage = Stage(sections: Self.list) { $0.insertedRows = [Self.first] }
        try stage.validate(shown: [1], source: [2])
        let rows = try #require(throws: ListError.self) { try stage.validate(shown: [2], source: [2]) }
        #expect(rows.code == .countMismatch)
        #expect(
            rows.message == """
                the batch does not lead to the 2 rows of section 0 in the source: the table has 2, 0 deleted, 0 moved \
                out, 1 inserted, 0 moved in; reload the table
                """)
        let sections = try #require(throws: ListError.self) { try stage.validate(shown: [1, 1], source: [2]) }
        #expect(sections.code == .countMismatch && sections.message.contains("the 1 sections of the source"))
        // The stage has no changes, but the source has grown.
        #expect(throws: ListError.self) { try Stage(sections: Self.list).validate(shown: [2], source: [3]) }
    }

    @Test func movedSectionKeepsItsRowCount() throws {
        let stage = Stage(sections: Self.list + Self.list) { $0.movedSections = [.init(from: 0, to: 1)] }
        try stage.validate(shown: [2, 1], source: [1, 2])
        let error = try #require(throws: ListError.self) { try stage.validate(shown: [2, 1], source: [1, 3]) }
        #expect(error.code == .countMismatch)
    }

    @Test(
        arguments: [
            (
                Stage(sections: list) {
                    $0.deletedRows = [first, first]
                    $0.insertedRows = [first, second]
                }, .conflict
            ),
            (
                Stage(sections: list) {
                    $0.deletedRows = [first]
                    $0.movedRows = [.init(from: first, to: second)]
                }, .countMismatch
            ),
            (
                Stage(sections: list) {
                    $0.deletedRows = [first]
                    $0.insertedRows = [second]
                    $0.movedRows = [.init(from: first, to: second)]
                },
                .conflict
            ),
            (
                Stage(sections: list) {
                    $0.deletedRows = [.init(section: 0, row: 2)]
                    $0.insertedRows = [first]
                }, .invalidPosition
            ),
            (
                Stage(sections: list) {
                    $0.deletedRows = [first]
                    $0.insertedRows = [.init(section: 0, row: -1)]
                }, .invalidPosition
            ),
            (Stage(sections: list) { $0.changedRows = [.init(section: 1, row: 0)] }, .invalidPosition),
            (
                Stage(sections: list) {
                    $0.deletedSections = [0]
                    $0.insertedSections = [0]
                    $0.deletedRows = [first]
                },
                .invalidPosition
            ),
            (
                Stage(sections: list) {
                    $0.deletedSections = [0]
                    $0.insertedSections = [0]
                    $0.insertedRows = [first]
                },
                .invalidPosition
            ),
            (
                Stage(sections: list) {
                    $0.insertedSections = [0]
                    $0.movedSections = [.init(from: 0, to: 0)]
                }, .conflict
            ),
            (
                Stage(sections: list) {
                    $0.movedRows = [.init(from: first, to: second)]
                    $0.changedRows = [first]
                }, .notTogether
            ),
            (
                Stage(sections: list) {
                    $0.changedRows = [first]
                    $0.changedSections = [0]
                }, .notTogether
            ),
            (
                Stage(sections: list) {
                    $0.movedSections = [.init(from: 0, to: 0)]
                    $0.movedRows = [.init(from: first, to: second)]
                },
                .notTogether
            ),
            (
                Stage(sections: list) {
                    $0.movedSections = [.init(from: 0, to: 0)]
                    $0.deletedRows = [first]
                    $0.insertedRows = [first]
                },
                .notTogether
            ),
            (
                Stage(sections: list) {
                    $0.deletedRows = [first]
                    $0.insertedRows = [first]
                    $0.movedRows = [.init(from: first, to: second)]
                },
                .conflict
            ),
            (
                Stage(sections: list) {
                    $0.deletedRows = [first]
                    $0.insertedRows = [first]
                    $0.movedRows = [.init(from: second, to: first)]
                },
                .conflict
            ),
            (
                Stage(sections: list) { $0.movedRows = [.init(from: .init(section: 0, row: 2), to: first)] },
                .invalidPosition
            ),
            (
                Stage(sections: list) { $0.movedRows = [.init(from: first, to: .init(section: 0, row: 2))] },
                .invalidPosition
            ),
            (Stage(sections: list) { $0.changedSections = [1] }, .invalidPosition),
            (Stage(sections: list) { $0.changedSections = [0, 0] }, .conflict),
        ] as [(Stage, ListError.Code)])
    func invalidStageHasAnErrorCode(_ stage: Stage, _ code: ListError.Code) throws {
        let error = try #require(throws: ListError.self) { try stage.validate(shown: [2], source: [2]) }
        #expect(error.code == code, "\(error)")
    }
}
