import Testing
import WharfPresentation

@Suite struct ListChangesTests {
    private func stages(_ old: [Section], _ new: [Section]) -> [ListStage<String, Row>] {
        ListChanges(from: old, to: new).stages
    }

    private func section(_ id: String, _ rows: Int..., header: String? = nil, footer: String? = nil) -> Section {
        Section(id: id, header: header, footer: footer, elements: rows.map { Row($0) })
    }

    private func at(_ section: Int, _ row: Int) -> ListPosition { ListPosition(section: section, row: row) }

    @Test func insertedDeletedAndMovedRowsAreOneBatch() {
        let new = [section("a", 4, 2, 3, 9, 1)]
        #expect(
            stages([section("a", 1, 2, 3, 4, 5)], new) == [
                ListStage(sections: new) {
                    $0.deletedRows = [at(0, 4)]
                    $0.insertedRows = [at(0, 3)]
                    $0.movedRows = [.init(from: at(0, 3), to: at(0, 0)), .init(from: at(0, 0), to: at(0, 4))]
                }
            ])
    }

    @Test(arguments: [("old", "new"), (nil, "new"), ("old", nil)] as [(String?, String?)])
    func changedHeaderOrFooterAloneTouchesNoRow(old: String?, new: String?) {
        let list = [section("a", 1, 2), section("b", 3, header: new)]
        #expect(
            stages([section("a", 1, 2), section("b", 3, header: old)], list) == [
                ListStage(sections: list) { $0.changedSections = [1] }
            ])
        let footers = [section("a", 1, 2), section("b", 3, footer: new)]
        #expect(
            stages([section("a", 1, 2), section("b", 3, footer: old)], footers) == [
                ListStage(sections: footers) { $0.changedSections = [1] }
            ])
    }

    @Test func rowChangingItsSectionIsAMove() {
        let new = [section("a", 1), section("b", 2, 3)]
        #expect(
            stages([section("a", 1, 2), section("b", 3)], new) == [
                ListStage(sections: new) { $0.movedRows = [.init(from: at(0, 1), to: at(1, 0))] }
            ])
    }

    @Test func changedContentIsASeparateBatchAfterMoves() {
        let new = [Section(id: "a", elements: [Row(2, "new"), Row(1), Row(3, "new")])]
        #expect(
            stages([section("a", 1, 2, 3)], new) == [
                ListStage(sections: new) { $0.movedRows = [.init(from: at(0, 1), to: at(0, 0))] },
                ListStage(sections: new) { $0.changedRows = [at(0, 0), at(0, 2)] },
            ])
    }

    @Test func changedRowIsReconfiguredInItsCellOrReloaded() {
        let new = [Section(id: "a", elements: [Row(2, "new"), Row(1), Row(3, "other cell")])]
        let changes = ListChanges(from: [section("a", 1, 2, 3)], to: new) {
            $0.id
        } isEqual: {
            $0 == $1
        } keepsCell: {
            $1 != Row(3, "other cell")
        }
        #expect(
            changes.stages == [
                ListStage(sections: new) { $0.movedRows = [.init(from: at(0, 1), to: at(0, 0))] },
                ListStage(sections: new) { $0.changedRows = [at(0, 0)] },
                ListStage(sections: new) { $0.reloadedRows = [at(0, 2)] },
            ])
    }

    @Test func stageWithReconfiguredAndReloadedRowsIsRefused() {
        let stage = ListStage(sections: [section("a", 1, 2)]) {
            $0.changedRows = [at(0, 0)]
            $0.reloadedRows = [at(0, 1)]
        }
        #expect(throws: ListError.self) { try stage.validate(shown: [2], source: [2]) }
    }

    @Test func insertedAndDeletedSectionsAndRowsAreOneBatch() {
        let new = [section("c", 5, 6), section("b", 3, 7)]
        #expect(
            stages([section("a", 1, 2), section("b", 3, 4)], new) == [
                ListStage(sections: new) {
                    $0.deletedSections = [0]
                    $0.insertedSections = [0]
                    $0.deletedRows = [at(1, 1)]
                    $0.insertedRows = [at(1, 1)]
                }
            ])
    }

    @Test func insertedDeletedAndMovedSectionsAreOneBatch() {
        let new = [section("d"), section("c", 3), section("b", 2)]
        #expect(
            stages([section("a", 1), section("b", 2), section("c", 3)], new) == [
                ListStage(sections: new) {
                    $0.deletedSections = [0]
                    $0.insertedSections = [0]
                    $0.movedSections = [.init(from: 2, to: 1)]
                }
            ])
    }

    @Test func rowMovesIntoASectionInsertedEarlier() {
        let new = [section("a", 1), section("b", 3, 2)]
        #expect(
            stages([section("a", 1, 2)], new) == [
                ListStage(sections: [section("a", 1, 2), section("b", 3)]) { $0.insertedSections = [1] },
                ListStage(sections: new) { $0.movedRows = [.init(from: at(0, 1), to: at(1, 1))] },
            ])
    }

    @Test func rowMovesOutOfASectionDeletedLater() {
        let (a, b) = (section("a", 1, 2), section("b", 3))
        let new = [section("b", 3, 2)]
        #expect(
            stages([a, b], new) == [
                ListStage(sections: [section("a", 1), section("b", 3, 2)]) {
                    $0.movedRows = [.init(from: at(0, 1), to: at(1, 1))]
                },
                ListStage(sections: new) { $0.deletedSections = [0] },
            ])
    }

    @Test func aSectionThatGetsAnotherIdKeepsItsRows() {
        let new = [section("b", 1, 2)]
        #expect(
            stages([section("a", 1, 2)], new) == [
                ListStage(sections: [section("b"), section("a", 1, 2)]) { $0.insertedSections = [0] },
                ListStage(sections: [section("b", 1, 2), section("a")]) {
                    $0.movedRows = [.init(from: at(1, 0), to: at(0, 0)), .init(from: at(1, 1), to: at(0, 1))]
                },
                ListStage(sections: new) { $0.deletedSections = [1] },
            ])
    }

    @Test func rowChangesFollowTheMoveOfTheirSection() {
        let new = [section("b", 3, 4), section("a", 1)]
        #expect(
            stages([section("a", 1, 2), section("b", 3)], new) == [
                ListStage(sections: [section("b", 3), section("a", 1, 2)]) {
                    $0.movedSections = [.init(from: 1, to: 0)]
                },
                ListStage(sections: new) {
                    $0.deletedRows = [at(1, 1)]
                    $0.insertedRows = [at(0, 1)]
                },
            ])
    }

    @Test func rowInTwoSectionsChangesInOneAlone() {
        let all = section("all", 1, 2)
        #expect(
            stages([section("favourites"), all], [section("favourites", 2), all]) == [
                ListStage(sections: [section("favourites", 2), all]) { $0.insertedRows = [at(0, 0)] }
            ])
        #expect(
            stages([section("favourites", 2), all], [section("favourites"), all]) == [
                ListStage(sections: [section("favourites"), all]) { $0.deletedRows = [at(0, 0)] }
            ])
    }

    @Test func rowMovingInItsSectionIsNotMatchedToADeletedCopy() {
        let others = [10, 11, 12].map { Row($0) }
        let favourites = { (rows: [Row]) in Section(id: "favourites", elements: rows) }
        let new = [favourites([]), Section(id: "all", elements: others + [Row(1)])]
        #expect(
            stages([favourites([Row(1)]), Section(id: "all", elements: [Row(1)] + others)], new) == [
                ListStage(sections: new) {
                    $0.deletedRows = [at(0, 0)]
                    $0.movedRows = [.init(from: at(1, 0), to: at(1, 3))]
                }
            ])
    }

    @Test func rowMovingInItsSectionIsNotMatchedToAnInsertedCopy() {
        let others = [10, 11, 12].map { Row($0) }
        let list = { (favourites: [Row], all: [Row]) in
            [Section(id: "favourites", elements: favourites), Section(id: "all", elements: all)]
        }
        let new = list([Row(1)], others + [Row(1)])
        #expect(
            stages(list([], [Row(1)] + others), new) == [
                ListStage(sections: new) {
                    $0.insertedRows = [at(0, 0)]
                    $0.movedRows = [.init(from: at(1, 0), to: at(1, 3))]
                }
            ])
    }

    @Test func movedRowsWithEqualIDsKeepTheirOrder() {
        let others = [10, 11, 12, 13].map { Row($0) }
        let list = { (rows: [Row]) in [Section(id: "a", elements: rows)] }
        let changes = stages(
            list(others + [Row(1, "x"), Row(1, "y")]), list([Row(1, "x"), Row(2), Row(1, "y")] + others))
        #expect(changes.flatMap(\.movedRows).map(\.from) == [at(0, 4), at(0, 5)])
        #expect(changes.flatMap(\.changedRows).isEmpty)
    }

    @Test func equalityClosureDecidesWhichRowsChanged() {
        let words = ["one", "two", "three"]
        let sections = { (words: [String]) in [ListSection(id: 0, elements: words)] }
        let changes = ListChanges(from: sections(words), to: sections(["TWO", "one", "three"])) {
            $0.lowercased()
        } isEqual: {
            $0 == $1
        }
        #expect(changes.stages.flatMap(\.movedRows).count == 1)
        #expect(changes.stages.last?.changedRows == [at(0, 0)])
    }
}
