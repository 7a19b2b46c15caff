public import Foundation

extension Table {
    /// The order of the rooms in ARCHITECTURE.md: each uses those below it.
    private static let rooms = [
        "Composition", "Presentation", "Delivery", "Data", "Network", "Decoding", "Contracts", "TestKit",
    ]

    /// Returns the targets as Markdown, a table for each room.
    ///
    /// - Parameter root: the checkout, whose folders tell the rooms.
    public func markdown(at root: URL) -> String {
        var rows: [String: [String]] = [:]
        for rule in rules {
            let folders = Tree.folder(of: rule.target, at: root)?.split(separator: "/") ?? []
            let room = folders.count == 3 ? String(folders[1]) : "none"
            let imports = rule.siblings.sorted().map { "`\($0)`" }.joined(separator: " ")
            let outside = rule.outside.union(rule.onApple).sorted().joined(separator: ", ")
            rows[room, default: []].append("| `\(rule.target)` | \(rule.purpose) | \(imports) | \(outside) |")
        }
        let unknown = rows.keys.filter { !Self.rooms.contains($0) }.sorted()
        return (Self.rooms + unknown).map { room in
            """
            ### `Sources/\(room)`

            | target | has | may import of Wharf | from elsewhere |
            |---|---|---|---|
            \((rows[room] ?? []).joined(separator: "\n"))
            """
        }.joined(separator: "\n\n")
    }
}
