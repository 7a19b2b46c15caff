internal import Fixtures
internal import Foundation
internal import GRDB

/// Reads a head and a body by the target, which is the primary key, by GRDB alone.
struct RowReads: Subject {
    private let entries: Entries
    private let pool: DatabasePool

    init(_ entries: Entries) throws {
        self.entries = entries
        self.pool = try Rows.fromEnvironment().open(entries)
    }

    func item(_ index: Int) -> String { entries.target(index) }

    func read(_ items: [String]) async throws -> Int {
        var bytes = 0
        for target in items {
            let entry = try await pool.read { db -> (head: Data, body: Data)? in
                let statement = try db.cachedStatement(sql: "SELECT head, bytes FROM entry WHERE target = ?")
                return try Row.fetchOne(statement, arguments: [target]).map { ($0[0], $0[1]) }
            }
            bytes += entry?.body.count ?? 0
        }
        return bytes
    }

    func close() async throws { try pool.close() }
}
