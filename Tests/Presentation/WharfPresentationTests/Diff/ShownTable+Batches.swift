import WharfPresentation

extension ShownTable {
    /// The reason for which UIKit would raise an exception.
    struct Inconsistency: Error, CustomStringConvertible {
        let description: String
    }

    private func raise(unless condition: Bool, _ description: @autoclosure () -> String) throws {
        guard condition else { throw Inconsistency(description: description()) }
    }

    mutating func perform(_ stage: ListStage<String, Row>) throws {
        try raiseWhereKindsAreMixed(stage)
        let (staying, put) = try takeRows(stage)
        var arriving = put
        var result = try arrange(
            zip(parts, staying).map { Part(header: $0.header, footer: $0.footer, cells: $1) }, stage)
        for index in result.indices {
            let here = arriving.filter { $0.key.section == index }
            arriving = arriving.filter { $0.key.section != index }
            try raise(
                unless: here.isEmpty || !stage.insertedSections.contains(index),
                "a row is put into the inserted section \(index)")
            result[index].cells = try fill(result[index].cells, here, from: stage.sections[index].elements, at: index)
        }
        try raise(unless: arriving.isEmpty, "rows at \(arriving.keys) are put into no section")
        try reload(stage, &result)
        parts = result
    }

    /// Removes rows by their positions before the batch.
    ///
    /// - Returns: the remaining cells by section, and the arriving ones by position. An arriving
    ///   cell has moved, or is nil if it is new.
    private func takeRows(
        _ stage: ListStage<String, Row>
    ) throws -> (staying: [[Cell]], arriving: [ListPosition: Cell?]) {
        var rows: [[Cell?]] = parts.map(\.cells)
        func take(_ place: ListPosition) throws -> Cell {
            try raise(unless: rows.indices.contains(place.section), "no section \(place.section) before the update")
            try raise(unless: rows[place.section].indices.contains(place.row), "no row \(place) before the update")
            try raise(unless: !stage.deletedSections.contains(place.section), "row \(place) of a deleted section")
            guard let cell = rows[place.section][place.row] else {
                throw Inconsistency(description: "row \(place) is taken twice")
            }
            rows[place.section][place.row] = nil
            return cell
        }
        for place in stage.deletedRows { _ = try take(place) }
        var arriving: [ListPosition: Cell?] = [:]
        for move in stage.movedRows {
            let cell = try take(move.from)
            try raise(unless: arriving.updateValue(cell, forKey: move.to) == nil, "two rows at \(move.to)")
        }
        for place in stage.insertedRows {
            try raise(unless: arriving.updateValue(nil, forKey: place) == nil, "two rows at \(place)")
        }
        return (rows.map { $0.compactMap { $0 } }, arriving)
    }

    /// Removes and inserts sections. The others keep their order.
    private mutating func arrange(_ before: [Part], _ stage: ListStage<String, Row>) throws -> [Part] {
        let source = stage.sections
        var sections: [Part?] = before
        func take(_ index: Int) throws -> Part {
            try raise(unless: sections.indices.contains(index), "no section \(index) before the update")
            guard let part = sections[index] else {
                throw Inconsistency(description: "section \(index) is taken twice")
            }
            sections[index] = nil
            return part
        }
        for index in stage.deletedSections { _ = try take(index) }
        var put: [Int: Part] = [:]
        for move in stage.movedSections {
            let part = try take(move.from)
            try raise(unless: put.updateValue(part, forKey: move.to) == nil, "two sections at \(move.to)")
        }
        for index in stage.insertedSections {
            try raise(unless: source.indices.contains(index), "no section \(index) after the update")
            let part = part(source[index])
            try raise(unless: put.updateValue(part, forKey: index) == nil, "two sections at \(index)")
        }
        var staying = sections.compactMap { $0 }[...]
        let result = try source.indices.map { index in
            if let part = put.removeValue(forKey: index) { return part }
            try raise(unless: !staying.isEmpty, "fewer sections than the source has, \(source.count)")
            return staying.removeFirst()
        }
        try raise(unless: staying.isEmpty && put.isEmpty, "more sections than the source has, \(source.count)")
        return result
    }

    private mutating func fill(
        _ staying: [Cell], _ arriving: [ListPosition: Cell?], from source: [Row], at section: Int
    ) throws -> [Cell] {
        try raise(
            unless: staying.count + arriving.count == source.count,
            "section \(section): \(staying.count) rows stay, \(arriving.count) arrive, the source has \(source.count)")
        var (cells, staying) = ([Cell](), staying[...])
        for row in source.indices {
            switch arriving[ListPosition(section: section, row: row)] {
            case .some(.some(let moved)): cells.append(moved)
            case .some(.none): cells.append(cell(source[row]))
            case .none:
                try raise(unless: !staying.isEmpty, "a row is put behind the end of section \(section)")
                cells.append(staying.removeFirst())
            }
        }
        return cells
    }

    private func reload(_ stage: ListStage<String, Row>, _ result: inout [Part]) throws {
        for place in stage.changedRows + stage.reloadedRows {
            try raise(
                unless: parts.indices.contains(place.section) && parts[place.section].cells.indices.contains(place.row),
                "no row \(place) before the update")
            result[place.section].cells[place.row].row = stage.sections[place.section].elements[place.row]
        }
        for index in stage.changedSections {
            try raise(unless: parts.indices.contains(index), "no section \(index) before the update")
            (result[index].header, result[index].footer) = (stage.sections[index].header, stage.sections[index].footer)
        }
        try raise(unless: Set(stage.changedRows).count == stage.changedRows.count, "a row is reloaded twice")
        try raise(
            unless: Set(stage.changedSections).count == stage.changedSections.count, "a section is reloaded twice")
    }

    /// Raises for combinations that Apple does not document, and that raise or display wrongly.
    private func raiseWhereKindsAreMixed(_ stage: ListStage<String, Row>) throws {
        let sections = stage.deletedSections.count + stage.insertedSections.count
        let rows = stage.deletedRows.count + stage.insertedRows.count
        let (sectionMoves, rowMoves) = (stage.movedSections.count, stage.movedRows.count)
        try raise(unless: rowMoves == 0 || sections + sectionMoves == 0, "rows move while sections come, go or move")
        try raise(unless: sectionMoves == 0 || rows == 0, "sections move while rows come or go")
        let kinds = [
            sections + rows + sectionMoves + rowMoves, stage.changedRows.count, stage.reloadedRows.count,
            stage.changedSections.count,
        ]
        try raise(unless: kinds.filter { $0 > 0 }.count <= 1, "reloads together with other changes")
    }
}
