import WharfPresentation

/// A row of these tests.
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

/// An independent model of `performBatchUpdates` in a table view.
///
/// It compares the batch with the counts of the source. It asks for the content of new and reloaded
/// cells only.
struct ShownTable: Equatable {
    /// A cell keeps its content until it is reloaded.
    struct Cell: Equatable {
        /// Identifies a cell that has moved.
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

    /// The table after `reloadData()`.
    init(_ source: [Section]) {
        for section in source { parts.append(part(section)) }
    }

    var counts: [Int] { parts.map(\.cells.count) }
    /// The visible content, without section ids, which a table does not know.
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
