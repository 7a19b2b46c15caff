import Testing
import UIKit
import WharfPresentation

/// Tests the table's data source with a table that counts rows as UIKit's does.
@Suite @MainActor struct TableTests {
    struct Refused: Error {}

    private let table = CheckedTable(frame: .zero, style: .plain)

    private nonisolated static let heat = Film(id: 1, title: "Heat")
    private nonisolated static let ronin = Film(id: 2, title: "Ronin")
    private nonisolated static let alien = Film(id: 3, title: "Alien", decade: 1970)

    private func list(_ films: [Film], _ banner: String? = nil) -> some ListSource<Film> & IdentifiedSections {
        RowSource(films).sections { $0.decade }.notice(banner.map { ListNotice(.stale, $0) })
    }

    private func source<Source: ListSource<Film> & IdentifiedSections>(
        _ list: Source, onError: @escaping @MainActor (any Error) -> Void = { Issue.record($0) }
    ) -> ListTableDataSource<Source> {
        ListTableDataSource(
            table, list: list, cells: Self.cells, onError: onError)
    }

    private static var cells: CellRegistry<Film, (table: UITableView, path: IndexPath), UITableViewCell> {
        CellRegistry { _ in
            LineCell(frame: .zero)
        } notices: { _ in
            NoticeCell(frame: .zero)
        }
    }

    @Test func tableMatchesTheListAfterEveryChange() {
        let lists: [([Film], String?)] = [
            ([], nil), ([Self.heat, Self.alien], nil), ([Self.alien, Self.heat, Self.ronin], "an hour old"),
            ([Self.ronin, Self.heat], nil), ([Film(id: 2, title: "Ronin (1998)"), Self.heat, Self.alien], "stale"),
            ([], nil),
        ]
        for from in lists {
            let source = source(list(from.0, from.1))
            for to in lists + [from] {
                source.show(list(to.0, to.1))
                #expect(table.exceptions.isEmpty)
                var sections: [[String]] = []
                for film in to.0 {
                    let place = to.0.map(\.decade).reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
                    while sections.count < place.count { sections.append([]) }
                    sections[place.firstIndex(of: film.decade) ?? 0].append(film.title)
                }
                #expect(table.cells == (to.1.map { [[$0]] } ?? []) + sections)
            }
        }
        #expect(table.batches > 10)
    }

    @Test func aChangedRowIsReconfiguredAndKeepsItsCell() {
        let source = source(list([Self.heat, Self.ronin]))
        _ = table.numberOfSections
        source.show(list([Self.heat, Film(id: 2, title: "Ronin (1998)")]))
        #expect(table.cells == [["Heat", "Ronin (1998)"]])
        #expect(table.reconfiguredRows == 1 && table.reloadedRows == 0)
    }

    @Test func selectedRowsStaySelectedInTheNextList() {
        let source = source(list([Self.heat, Self.ronin]))
        _ = table.numberOfSections
        source.selection = ListSelection([2])
        #expect(table.selected == [IndexPath(row: 1, section: 0)])
        source.show(list([Self.alien, Self.ronin, Self.heat], "an hour old"))
        #expect(table.selected == [IndexPath(row: 0, section: 2)] && source.selection.ids == [2])
        table.isInWindow = false
        source.show(list([Self.heat, Self.ronin]))
        #expect(table.selected == [IndexPath(row: 1, section: 0)])
        source.show(list([Self.heat]))
        #expect(table.selected.isEmpty && source.selection.ids.isEmpty)
    }

    @Test func rowsThatAppearLoadMoreAndAPullRefreshes() async {
        let (shown, tellShown) = AsyncStream.makeStream(of: [Int].self)
        let loader = ListLoader<Film.ID>(
            loadMore: { tellShown.yield([$0]) }, prefetch: { tellShown.yield($0) }, refresh: { tellShown.yield([]) })
        let source = ListTableDataSource(
            table, list: RowSource([Self.heat, Self.ronin]), cells: Self.cells, loader: loader,
            onError: { Issue.record($0) })
        var loads = shown.makeAsyncIterator()
        _ = table.numberOfSections
        #expect(await loads.next(isolation: #isolation) == [2])
        #expect(table.prefetchDataSource === source)
        source.tableView(table, prefetchRowsAt: [IndexPath(row: 0, section: 0)])
        #expect(await loads.next(isolation: #isolation) == [1])
        let control = table.refreshControl
        if let action = control?.addedAction { action.handler(action) }
        #expect(await loads.next(isolation: #isolation) == [])
        while control?.isRefreshing == true { await Task.yield() }
        #expect(control != nil)
    }

    @Test func tableWithoutLoaderHasNoRefreshControl() {
        _ = source(list([Self.heat]))
        #expect(table.refreshControl == nil && table.prefetchDataSource == nil)
    }

    @Test func tableWithOtherRowCountsIsReloaded() {
        var errors: [any Error] = []
        let source = source(list([Self.heat, Self.ronin])) { errors.append($0) }
        #expect(table.numberOfSections == 1 && table.reloads == 1)
        table.loseARow()
        source.show(list([Self.heat, Self.ronin, Self.alien]))
        #expect((errors as? [ListError])?.map(\.code) == [.countMismatch])
        #expect(table.reloads == 2 && table.batches == 0 && table.exceptions.isEmpty)
        #expect(table.cells == [["Heat", "Ronin"], ["Alien"]])
    }

    @Test func tableOutsideAWindowIsReloaded() {
        table.isInWindow = false
        let source = source(list([Self.heat]))
        source.show(list([Self.heat, Self.ronin]))
        #expect(table.batches == 0 && table.cells == [["Heat", "Ronin"]])
    }

    @Test func failedDeletionIsReported() async {
        var tell: CheckedContinuation<any Error, Never>?
        let films = list([Self.heat]).editable { film in
            #expect(film == Self.heat)
            throw Refused()
        }
        let source = source(films) { tell?.resume(returning: $0) }
        let path = IndexPath(row: 0, section: 0)
        #expect(source.tableView(table, canEditRowAt: path) && !source.tableView(table, canMoveRowAt: path))
        let error = await withCheckedContinuation { continuation in
            tell = continuation
            source.tableView(table, commit: .delete, forRowAt: path)
        }
        #expect(error is Refused)
    }

    @Test func failedMoveIsReverted() async {
        var tell: CheckedContinuation<any Error, Never>?
        let films = list([Self.heat, Self.ronin]).movable { film, from, to in
            #expect(film == Self.heat && from.row == 0 && to.row == 1)
            throw Refused()
        }
        let source = source(films) { tell?.resume(returning: $0) }
        _ = table.numberOfSections
        let error = await withCheckedContinuation { continuation in
            tell = continuation
            // The user moves the row, so the table shows the move before it reports it.
            source.tableView(table, moveRowAt: IndexPath(row: 0, section: 0), to: IndexPath(row: 1, section: 0))
            table.reloadData()
            #expect(table.cells == [["Ronin", "Heat"]])
        }
        #expect(error is Refused)
        for _ in 0..<10 { await Task.yield() }
        #expect(table.cells == [["Heat", "Ronin"]] && table.exceptions.isEmpty)
    }

    @Test func shownRowIsDeletedAfterAManualMove() async {
        var moved: CheckedContinuation<Void, Never>?
        var deleted: CheckedContinuation<Film, Never>?
        let films = list([Self.heat, Self.ronin]).movable { _, _, _ in
            await MainActor.run { moved?.resume() }
        }.editable { film in
            await MainActor.run { deleted?.resume(returning: film) }
        }
        let source = source(films)
        _ = table.numberOfSections
        let (first, second) = (IndexPath(row: 0, section: 0), IndexPath(row: 1, section: 0))
        await withCheckedContinuation { continuation in
            moved = continuation
            source.tableView(table, moveRowAt: first, to: second)
        }
        #expect(!source.tableView(table, canMoveRowAt: first))
        let film = await withCheckedContinuation { continuation in
            deleted = continuation
            source.tableView(table, commit: .delete, forRowAt: first)
        }
        #expect(film == Self.ronin)
        source.show(films)
        #expect(source.tableView(table, canMoveRowAt: first))
    }

    @Test func errorHandlerMayShowAnotherList() {
        @MainActor final class Screen {
            var reported = 0
            var showAgain: () -> Void = {}
        }
        let screen = Screen()
        let source = source(list([Self.heat, Self.ronin])) { _ in
            screen.reported += 1
            if screen.reported < 3 { screen.showAgain() }
        }
        screen.showAgain = { source.show(list([Self.alien])) }
        _ = table.numberOfSections
        table.loseARow()
        source.show(list([Self.heat, Self.ronin, Self.alien]))
        screen.showAgain = {}
        #expect(screen.reported == 1 && table.cells == [["Alien"]] && table.exceptions.isEmpty)
    }

    @Test func headersAreTitles() {
        let source = source(RowSource([Self.heat, Self.alien]).sections { $0.decade }.sectionHeaders { "\($0)s" })
        #expect(source.tableView(table, titleForHeaderInSection: 1) == "1970s")
        #expect(source.tableView(table, titleForFooterInSection: 1) == nil)
        #expect(source.tableView(table, titleForHeaderInSection: 2) == nil)
    }
}
