/// A table that is written row by row.
///
/// A column is as wide as its widest cell so far.
struct TextTable {
    private var widths: [Int] = []

    /// - Parameter rows: their last cells are not padded.
    mutating func lines(_ rows: [[String]]) -> [String] {
        let rows = rows.map { $0.map(Plain.shown) }
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
            }
            let line = cells.joined(separator: "  ")
            return String(line[..<(line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex)])
        }
    }
}
