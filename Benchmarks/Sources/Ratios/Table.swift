/// A table with columns as wide as their widest cell.
///
/// All columns but the first are aligned to the right.
struct Table {
    private var rows: [[String]]

    init(header: [String]) { rows = [header] }

    mutating func append(_ row: [String]) { rows.append(row) }

    var text: String {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }.joined(separator: "  ")
        }
        lines.insert(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "), at: 1)
        return lines.joined(separator: "\n")
    }
}
