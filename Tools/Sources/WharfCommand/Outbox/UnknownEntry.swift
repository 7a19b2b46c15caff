import Wharf
import WharfStorage

/// An unknown id, with the similar ids that the user may have meant.
struct UnknownEntry {
    private let id: OutboxEntry.ID
    /// The maximum number of entries that are searched.
    private static let limit = 5_000

    init(_ id: OutboxEntry.ID) { self.id = id }

    func message(_ outbox: OpenOutbox) async throws -> String {
        var near: [(id: String, distance: Int)] = []
        var seen = 0
        for account in try await outbox.accounts(DeliveryFilter()) {
            try await outbox.records(of: account) { page in
                seen += page.count
                for record in page {
                    if let distance = Self.distance(id.text, record.entry.id.text) {
                        near.append((record.entry.id.text, distance))
                    }
                }
                return seen < Self.limit
            }
        }
        let found = near.sorted { $0.distance < $1.distance }.prefix(3).map(\.id)
        let advice =
            found.isEmpty
            ? "it was settled, or never existed; see wharf outbox ls"
            : "did you mean \(found.joined(separator: " or "))?"
        return "\(outbox.path) has no entry with the id '\(id)'; \(advice)"
    }

    /// Returns the edit distance; nil if the ids are not similar.
    ///
    /// They are if one contains the other, or few characters differ.
    static func distance(_ typed: String, _ there: String) -> Int? {
        let (a, b) = (Array(typed.lowercased()), Array(there.lowercased()))
        if a.count >= 4, there.lowercased().contains(typed.lowercased()) { return 1 }
        let most = max(1, min(a.count, b.count) / 6)
        guard abs(a.count - b.count) <= most else { return nil }
        // Levenshtein distance, row by row.
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var previous = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let cost = previous + (x == y ? 0 : 1)
                previous = row[j + 1]
                row[j + 1] = min(cost, previous + 1, row[j] + 1)
            }
        }
        return row[b.count] <= most ? row[b.count] : nil
    }
}
