import WharfPresentation
import WharfTesting

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

/// What a table view does in `performBatchUpdates`, by rules that are written down here a second time: it holds what it is told
/// against the counts of the source, and asks for the content of cells that are new or reloaded, and of no others.
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

    private(set) var parts: [Part] = []
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

    private mutating func part(_ section: Section) -> Part {
        Part(header: section.header, footer: section.footer, cells: section.elements.map { cell($0) })
    }

    private mutating func cell(_ row: Row) -> Cell {
        cellsMade += 1
        return Cell(number: cellsMade, row: row)
    }

    /// Why UIKit would raise.
    struct Inconsistency: Error, CustomStringConvertible {
        let description: String
    }

    private func raise(unless condition: Bool, _ description: @autoclosure () -> String) throws {
        guard condition else { throw Inconsistency(description: description()) }
    }

    mutating func perform(_ stage: ListStage<String, Row>) throws {
        try raiseWhereKindsAreMixed(stage)
        let source = stage.sections
        var sections: [Part?] = parts
        var rows: [[Cell?]] = parts.map(\.cells)

        // Rows are taken by the positions that they have before the batch, whatever else is in it.
        func take(_ place: ListPosition) throws -> Cell {
            try raise(unless: rows.indices.contains(place.section), "no section \(place.section) before the update")
            try raise(unless: rows[place.section].indices.contains(place.row), "no row \(place) before the update")
            try raise(unless: !stage.deletedSections.contains(place.section), "row \(place) of a deleted section")
            let cell = rows[place.section][place.row]
            rows[place.section][place.row] = nil
            guard let cell else { throw Inconsistency(description: "row \(place) is taken twice") }
            return cell
        }
        for place in stage.deletedRows { _ = try take(place) }
        var put: [ListPosition: Cell?] = [:]
        for move in stage.movedRows {
            let cell = try take(move.from)
            try raise(unless: put.updateValue(cell, forKey: move.to) == nil, "two rows at \(move.to)")
        }
        for place in stage.insertedRows {
            try raise(unless: put.updateValue(nil, forKey: place) == nil, "two rows at \(place)")
        }
        for index in sections.indices { sections[index]?.cells = rows[index].compactMap { $0 } }

        func takeSection(_ index: Int) throws -> Part {
            try raise(unless: sections.indices.contains(index), "no section \(index) before the update")
            guard let part = sections[index] else {
                throw Inconsistency(description: "section \(index) is taken twice")
            }
            sections[index] = nil
            return part
        }
        for index in stage.deletedSections { _ = try takeSection(index) }
        var putSections: [Int: Part] = [:]
        for move in stage.movedSections {
            let part = try takeSection(move.from)
            try raise(unless: putSections.updateValue(part, forKey: move.to) == nil, "two sections at \(move.to)")
        }
        for index in stage.insertedSections {
            try raise(unless: source.indices.contains(index), "no section \(index) after the update")
            let part = part(source[index])
            try raise(unless: putSections.updateValue(part, forKey: index) == nil, "two sections at \(index)")
        }

        var result: [Part] = []
        var staying = sections.compactMap { $0 }[...]
        for index in source.indices {
            if let part = putSections.removeValue(forKey: index) {
                result.append(part)
            } else {
                try raise(unless: !staying.isEmpty, "fewer sections than the source has, \(source.count)")
                result.append(staying.removeFirst())
            }
        }
        try raise(unless: staying.isEmpty && putSections.isEmpty, "more sections than the source has, \(source.count)")

        for index in result.indices {
            let arriving = put.filter { $0.key.section == index }
            put = put.filter { $0.key.section != index }
            let isInserted = stage.insertedSections.contains(index)
            try raise(unless: arriving.isEmpty || !isInserted, "a row is put into the inserted section \(index)")
            result[index].cells = try fill(result[index].cells, arriving, from: source[index].elements, at: index)
        }
        try raise(unless: put.isEmpty, "rows at \(put.keys) are put into no section")

        for place in stage.changedRows {
            try raise(
                unless: parts.indices.contains(place.section) && parts[place.section].cells.indices.contains(place.row),
                "no row \(place) before the update")
            result[place.section].cells[place.row].row = source[place.section].elements[place.row]
        }
        try raise(unless: Set(stage.changedRows).count == stage.changedRows.count, "a row is reloaded twice")
        for index in stage.changedSections {
            try raise(unless: parts.indices.contains(index), "no section \(index) before the update")
            result[index].header = source[index].header
            result[index].footer = source[index].footer
        }
        try raise(
            unless: Set(stage.changedSections).count == stage.changedSections.count, "a section is reloaded twice")
        parts = result
    }

    private mutating func fill(
        _ staying: [Cell], _ arriving: [ListPosition: Cell?], from source: [Row], at section: Int
    ) throws -> [Cell] {
        try raise(
            unless: staying.count + arriving.count == source.count,
            "section \(section): \(staying.count) rows stay, \(arriving.count) arrive, the source has \(source.count)")
        var (cells, staying, arrived) = ([Cell](), staying[...], 0)
        for row in source.indices {
            switch arriving[ListPosition(section: section, row: row)] {
            case .some(.some(let moved)): cells.append(moved)
            case .some(.none): cells.append(cell(source[row]))
            case .none:
                try raise(unless: !staying.isEmpty, "a row is put behind the end of section \(section)")
                cells.append(staying.removeFirst())
                continue
            }
            arrived += 1
        }
        try raise(unless: arrived == arriving.count, "a row is put behind the end of section \(section)")
        return cells
    }

    /// What Apple does not document as going together, and what raises or is shown wrongly.
    private func raiseWhereKindsAreMixed(_ stage: ListStage<String, Row>) throws {
        let sections = stage.deletedSections.count + stage.insertedSections.count
        let rows = stage.deletedRows.count + stage.insertedRows.count
        let (sectionMoves, rowMoves) = (stage.movedSections.count, stage.movedRows.count)
        try raise(unless: rowMoves == 0 || sections + sectionMoves == 0, "rows move while sections come, go or move")
        try raise(unless: sectionMoves == 0 || rows == 0, "sections move while rows come or go")
        let kinds = [sections + rows + sectionMoves + rowMoves, stage.changedRows.count, stage.changedSections.count]
        try raise(unless: kinds.filter { $0 > 0 }.count <= 1, "reloads together with other changes")
    }
}
