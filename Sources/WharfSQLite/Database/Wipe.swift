#if SQLite
internal import GRDB
internal import WharfCore

/// Takes the bytes of removed rows out of a file.
///
/// `secure_delete` is not enough: SQLite leaves copies in the gaps of pages that it splits. So the
/// file is written anew (`VACUUM`) and the log emptied. Until that is done the file says so, and
/// opening it again goes on.
struct Wipe {
    let db: Database

    /// Has a row while removed bytes may still lie in the file.
    static let table = (name: "wipe", sql: "CREATE TABLE wipe (id INTEGER PRIMARY KEY)")

    /// Begins it, in the transaction that removes.
    static let row = "INSERT OR IGNORE INTO wipe VALUES (1)"

    func begin() throws { try db.execute(sql: Self.row) }

    var isUnderWay: Bool {
        get throws { try db.integer("SELECT count(*) FROM wipe") ?? 0 > 0 }
    }

    /// Outside a transaction. Nothing happens where nothing has begun.
    ///
    /// - Parameter what: was removed.
    func finish(_ what: String, in path: String, reached: (DataPoint) -> Void = { _ in }) throws {
        guard try isUnderWay else { return }
        reached(.removed)
        try db.execute(sql: "VACUUM")
        reached(.rewritten)
        guard try db.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
            throw StoreError(
                .unavailable,
                message: """
                    expected to empty the log of \(path), but somebody reads it; the \(what) are removed, and their bytes are when \
                    it is tried again or the file is opened again
                    """
            )
        }
        try db.execute(sql: "DELETE FROM wipe")
    }
}
#endif
