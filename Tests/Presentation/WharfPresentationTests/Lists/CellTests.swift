import Testing
import WharfPresentation

private struct Line: ListCell {
    let width: Int
    func render(_ film: Film) -> String { "\(film.title.prefix(width))" }
}

private struct NoticeLine: ListCell {
    var mark = "-"
    func render(_ notice: ListNotice) -> String { "\(mark) \(notice.text)" }
}

private protocol Playable: Sendable {}
extension Film: Playable {}
private struct Episode: Playable { let number: Int }
private struct Trailer: Playable {}

private struct EpisodeLine: ListCell {
    func render(_ episode: Episode) -> String { "episode \(episode.number)" }
}

private struct PlayableLine: ListCell {
    func render(_ playable: any Playable) -> String { "\(type(of: playable))" }
}

@Suite struct CellTests {
    @Test func eachRowIsRenderedByTheCellOfItsKind() {
        let cells = CellRegistry {
            Line(width: 10)
        } notices: {
            NoticeLine()
        }
        .notices(of: .stale) { NoticeLine(mark: "!") }
        let list = RowSource([Film(id: 1, title: "Heat")]).notice(ListNotice(.loading, "Loading"))
            .notice(ListNotice(.stale, "Old"))
        #expect(
            (0..<3).compactMap { list.row(at: ListPosition(section: $0, row: 0)) }.map { cells.render($0) } == [
                "! Old", "- Loading", "Heat",
            ])
    }

    @Test func modelTypeHasItsOwnCell() {
        let cells = CellRegistry<any Playable, Void, String> {
            PlayableLine()
        } notices: {
            NoticeLine()
        }
        .elements { Line(width: 10) }.elements { EpisodeLine() }
        let rows: [any Playable] = [Film(id: 1, title: "Heat"), Episode(number: 7), Trailer()]
        #expect(rows.map { cells.render(.element($0)) } == ["Heat", "episode 7", "Trailer"])
    }

    @Test func cellIsKeptOnlyWithinOneRegistration() {
        let cells = CellRegistry<any Playable, Void, String> {
            PlayableLine()
        } notices: {
            NoticeLine()
        }
        .elements { EpisodeLine() }.notices(of: .stale) { NoticeLine(mark: "!") }
        #expect(cells.keepsCell(from: .element(Episode(number: 1)), to: .element(Episode(number: 2))))
        #expect(cells.keepsCell(from: .element(Film(id: 1)), to: .element(Trailer())))
        #expect(!cells.keepsCell(from: .element(Film(id: 1)), to: .element(Episode(number: 1))))
        let (stale, loading) = (ListNotice(.stale, "Old"), ListNotice(.loading, "Loading"))
        #expect(cells.keepsCell(from: .notice(loading), to: .notice(ListNotice(.loading, "Still loading"))))
        #expect(!cells.keepsCell(from: .notice(loading), to: .notice(stale)))
        #expect(!cells.keepsCell(from: .notice(stale), to: .element(Trailer())))
    }

    @Test func lastOfTwoRegistrationsWins() {
        let cells = CellRegistry {
            Line(width: 10)
        } notices: {
            NoticeLine()
        }
        .notices(of: .stale) { NoticeLine(mark: "a") }.notices(of: .stale) { NoticeLine(mark: "b") }
        .elements { Line(width: 2) }
        #expect(cells.render(.notice(ListNotice(.stale, "x"))) == "b x")
        #expect(cells.render(.element(Film(id: 1, title: "Heat"))) == "He")
    }

    /// As in UIKit's tables, cells are objects on the main actor, and are reused.
    @MainActor @Test func cellsAreUsedAgainInTheContextOfTheirTable() {
        let table = Table()
        let cells = CellRegistry { (table: Table) in
            table.cell(0, FilmView.self)
        } notices: { (table: Table) in
            table.cell(1, NoticeView.self)
        }
        let first = cells.render(.element(Film(id: 1, title: "Heat")), in: table)
        #expect(first.text == "Heat")
        let second = cells.render(.element(Film(id: 2, title: "Ran")), in: table)
        #expect(first === second && first.text == "Ran")
        #expect(cells.render(.notice(ListNotice(.stale, "Old")), in: table).text == "Old")
        #expect(table.made == 2)
    }
}

@MainActor private class View {
    var text = ""
    required init() {}
}

private final class FilmView: View, ListCell {
    func render(_ film: Film) -> View {
        text = film.title
        return self
    }
}

private final class NoticeView: View, ListCell {
    func render(_ notice: ListNotice) -> View {
        text = notice.text
        return self
    }
}

@MainActor private final class Table {
    private var cells: [Int: View] = [:]
    private(set) var made = 0

    func cell<Cell: View>(_ kind: Int, _ type: Cell.Type) -> Cell {
        if let cell = cells[kind] as? Cell { return cell }
        made += 1
        let cell = Cell()
        cells[kind] = cell
        return cell
    }
}
