import WharfPresentation

/// A row as the tests have them.
struct Row: Identifiable, Hashable, Sendable, CustomStringConvertible {
    let id: Int
    var text: String

    init(_ id: Int, _ text: String = "") {
        self.id = id
        self.text = text
    }

    var description: String { text.isEmpty ? "\(id)" : "\(id)\(text)" }
}

typealias Section = ListSection<String, Row>

/// What a table view does in `performBatchUpdates`, by rules that are written down here a second
/// time: it holds what it is told against the counts of the source, and asks for the content of
/// cells that are new or reloaded, and of no others.
struct ShownTable: Equatable {
    /// A cell keeps what it was provided with until it is reloaded.
    struct Cell: Equatable {
        /// By which a cell that has moved is known again.
        let number: Int
        var row: Row
    }

    struct Part: Equatable {
        var header: String?
        var footer: String?
        var cells: [Cell]
    }

    var parts: [Part] = []
    private var cellsMade = 0

    /// As after `reloadData()`.
    init(_ source: [Section]) {
        for section in source { parts.append(part(section)) }
    }

    var counts: [Int] { parts.map(\.cells.count) }
    /// What is on the screen, without ids of sections, which a table does not know.
    var shown: [Section] {
        parts.map { Section(id: "", header: $0.header, footer: $0.footer, elements: $0.cells.map(\.row)) }
    }

    mutating func part(_ section: Section) -> Part {
        Part(header: section.header, footer: section.footer, cells: section.elements.map { cell($0) })
    }

    mutating func cell(_ row: Row) -> Cell {
        cellsMade += 1
        return Cell(number: cellsMade, row: row)
    }
}
