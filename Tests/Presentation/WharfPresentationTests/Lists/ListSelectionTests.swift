import Testing
import WharfCore

@testable import WharfPresentation

@Suite struct ListSelectionTests {
    private func list(_ ids: Int...) -> some ListSource<Film> & IdentifiedSections {
        RowSource(ids.map { Film(id: $0) }).notice(ListNotice(.stale, "Old"))
    }

    @Test func aSelectionFollowsItsRowsToAnotherOrder() {
        let selection = ListSelection([1, 3], allowsSeveral: true)
        #expect(selection.positions(in: list(1, 2, 3)) == [.init(section: 1, row: 0), .init(section: 1, row: 2)])
        #expect(selection.positions(in: list(3, 4, 2)) == [.init(section: 1, row: 0)])
        #expect(ListSelection<Int>().positions(in: list(1)).isEmpty)
    }

    @Test func rowsThatAreGoneAreDeselected() {
        var selection = ListSelection([1, 3], allowsSeveral: true)
        selection.keep(in: list(3, 4))
        #expect(selection.ids == [3] && selection.contains(3))
        selection.keep(in: list())
        #expect(selection.ids.isEmpty)
    }

    @Test func aListThatIsNotKnownDeselectsNothing() {
        var selection = ListSelection([1])
        selection.keep(in: RowSource(Snapshot<[Film]>.read(nil)))
        #expect(selection.ids == [1])
    }

    @Test func noticesAreNotSelected() {
        var selection = ListSelection([1], allowsSeveral: true)
        #expect(selection.rowIDs == [.own(1)])
        selection.rowIDs = [.own(2), .own(3), .notice(.init(.stale))]
        #expect(selection.ids == [2, 3])
        selection.rowID = .notice(.init(.stale))
        #expect(selection.ids.isEmpty && selection.rowID == nil)
        selection.rowID = .own(4)
        #expect(selection.ids == [4])
    }
}
