internal import Fixtures
internal import Foundation
internal import GRDB

/// Reads the same columns of the same file by GRDB alone, as in its documentation.
///
/// Each read is an async `read` of one row with a statement that is prepared once.
struct PoolReads: Subject {
    private static let sql = """
        SELECT response.head, body.bytes FROM response JOIN body ON body.id = response.id \
        WHERE account = ? AND target = ? AND method = ?
        """

    private let entries: Entries
    private let pool: DatabasePool

    init(_ entries: Entries) throws {
        self.entries = entries
        self.pool = try DatabasePool(path: CacheFiles.fromEnvironment().path(entries))
    }

    func item(_ index: Int) -> String { entries.target(index) }

    func read(_ items: [String]) async throws -> Int {
        var bytes = 0
        for target in items {
            let entry = try await pool.read { db -> (head: Data, body: Data)? in
                let statement = try db.cachedStatement(sql: Self.sql)
                return try Row.fetchOne(statement, arguments: ["", target, "GET"]).map { ($0[0], $0[1]) }
            }
            bytes += entry?.body.count ?? 0
        }
        return bytes
    }

    func close() async throws { try pool.close() }
}
