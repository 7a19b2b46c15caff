import Synchronization
import Testing
import WharfPresentation

@Suite struct ListEditingTests {
    private final class Changes: Sendable {
        private let state = Mutex<[String]>([])
        var all: [String] { state.withLock { $0 } }
        func append(_ change: String) { state.withLock { $0.append(change) } }
    }

    private struct Refused: Error {}

    private let changes = Changes()

    private func at(_ section: Int, _ row: Int) -> ListPosition { ListPosition(section: section, row: row) }

    @Test func aDecoratedEditableListIsStillEditable() async throws {
        let list = RowSource(0..<4).sections { $0 / 2 }.editable { [changes] in changes.append("delete \($0)") }
            .sectionHeaders { "\($0)" }.header("h").placeholder("none").notice(ListNotice(.stale, "old"))
        func delete(_ list: some EditableRows, _ position: ListPosition) async throws {
            try await list.delete(at: position)
        }
        #expect(!list.isEditable(at: at(0, 0)) && list.isEditable(at: at(2, 1)))
        try await delete(list, at(2, 1))
        #expect(changes.all == ["delete 3"])
    }

    @Test func noticeInAnEditableListIsNotEditable() async {
        let list = RowSource(0..<4).notice(ListNotice(.stale, "old")).editable { [changes] in changes.append("\($0)") }
        let error = await #expect(throws: ListError.self) { try await list.delete(at: at(0, 0)) }
        #expect(error?.code == .notEditable)
        #expect(error?.message.contains("at 0.0") == true)
        #expect(changes.all.isEmpty)
    }

    @Test func onlyEditableRowsAreDeleted() async throws {
        let list = RowSource(0..<4).editable(where: { $0 > 1 }) { [changes] in changes.append("\($0)") }
        #expect((-1..<5).map { list.isEditable(at: at(0, $0)) } == [false, false, false, true, true, false])
        for layer in [list, list.header("h")] as [any EditableRows] {
            let error = await #expect(throws: ListError.self) { try await layer.delete(at: at(0, 1)) }
            #expect(error?.code == .notEditable)
        }
        try await list.header("h").delete(at: at(0, 2))
        #expect(changes.all == ["2"])
    }

    @Test func theOutermostEditingDecides() async throws {
        let list = RowSource(0..<4).editable(where: { _ in false }) { [changes] in changes.append("inner \($0)") }
            .editable { [changes] in changes.append("outer \($0)") }
        try await list.delete(at: at(0, 0))
        #expect(changes.all == ["outer 0"])
    }

    @Test func editingErrorsAreThrown() async {
        let list = RowSource(0..<4).editable { _ in throw Refused() }.movable { _, _, _ in throw Refused() }.header("h")
        await #expect(throws: Refused.self) { try await list.delete(at: at(0, 0)) }
        await #expect(throws: Refused.self) { try await list.move(from: at(0, 0), to: at(0, 1)) }
    }

    @Test func moveIsReportedInSourcePositions() async throws {
        let source = RowSource(0..<4).sections { $0 / 2 }
        let move: MovableList<SectionedSource<Int, Int>>.Move = { [changes] in changes.append("\($0): \($1) to \($2)") }
        let inner = source.movable(move: move).notice(ListNotice(.stale, "old"))
        let outer = source.notice(ListNotice(.stale, "old")).movable(move: move)
        for list in [inner, outer] as [any MovableRows] {
            try await list.move(from: at(1, 0), to: at(2, 1))
            try await list.move(from: at(1, 0), to: at(2, 2))
            try await list.move(from: at(2, 1), to: at(2, 0))
        }
        let reported = ["0: 0.0 to 1.1", "0: 0.0 to 1.2", "3: 1.1 to 1.0"]
        #expect(changes.all == reported + reported)
    }

    @Test func moveToAnInvalidDestinationIsRefused() async throws {
        let sections = [
            ListSection(id: "a", elements: [1, 2]), ListSection(id: "b", elements: []),
        ]
        let list = SectionedSource(sections).notice(ListNotice(.stale, "old")).movable { [changes] in
            changes.append("\($0): \($1) to \($2)")
        }
        for place in [at(0, 0), at(0, 1), at(1, 2), at(1, -1), at(2, 1), at(3, 0), at(-1, 0), at(.max, .max)] {
            let error = await #expect(throws: ListError.self) { try await list.move(from: at(1, 0), to: place) }
            #expect(error?.code == .noDestination, "\(place)")
            #expect(!list.canMove(from: at(1, 0), to: place))
        }
        #expect(list.canMove(from: at(1, 0), to: at(2, 0)))
        #expect(!list.canMove(from: at(0, 0), to: at(2, 0)))
        #expect(changes.all.isEmpty)
        try await list.move(from: at(1, 0), to: at(2, 0))
        #expect(changes.all == ["1: 0.0 to 1.0"])
    }

    @Test func errorNamesThePositionOfTheCallersLayer() async {
        let list = RowSource(0..<2).editable(where: { _ in false }) { _ in }.movable(where: { $0 == 0 }) { _, _, _ in }
            .notice(ListNotice(.stale, "old"))
        let calls: [(ListPosition, @Sendable () async throws -> Void)] = [
            (at(1, 1), { try await list.delete(at: ListPosition(section: 1, row: 1)) }),
            (
                at(1, 1),
                { try await list.move(from: ListPosition(section: 1, row: 1), to: ListPosition(section: 1, row: 0)) }
            ),
            (
                at(1, 2),
                { try await list.move(from: ListPosition(section: 1, row: 0), to: ListPosition(section: 1, row: 2)) }
            ),
        ]
        for (position, call) in calls {
            let error = await #expect(throws: ListError.self) { try await call() }
            #expect(error?.message.contains("\(position)") == true, "\(error?.message ?? "")")
        }
    }

    @Test func onlyMovableRowsAreMoved() async {
        let list = RowSource(0..<4).movable(where: { $0 > 1 }) { _, _, _ in }
        #expect((-1..<5).map { list.isMovable(at: at(0, $0)) } == [false, false, false, true, true, false])
        for layer in [list, list.header("h")] as [any MovableRows] {
            let error = await #expect(throws: ListError.self) { try await layer.move(from: at(0, 1), to: at(0, 0)) }
            #expect(error?.code == .notMovable)
        }
    }
}
