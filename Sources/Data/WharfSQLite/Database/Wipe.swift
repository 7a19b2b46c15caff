#if SQLite
internal import GRDB
internal import WharfCore

/// Erases the bytes of removed rows from a file.
///
/// `secure_delete` is not enough: SQLite leaves copies in the gaps of pages that it splits. So the
/// file is rewritten (`VACUUM`) and its log emptied. The file records an unfinished wipe, and the
/// next opening continues it.
struct Wipe {
    let db: Database

    /// A table with a row while removed bytes may still be in the file.
    static let table = (name: "wipe", sql: "CREATE TABLE wipe (id INTEGER PRIMARY KEY)")

    /// The statement that begins a wipe, in the transaction that removes rows.
    static let row = "INSERT OR IGNORE INTO wipe VALUES (1)"

    func begin() throws { try db.execute(sql: Self.row) }

    var isUnderWay: Bool {
        get throws { try db.integer("SELECT count(*) FROM wipe") ?? 0 > 0 }
    }

    /// Finishes a wipe, outside of a transaction. Nothing happens if none has begun.
    ///
    /// - Parameter what: the kind of removed things, for the message.
    func finish(_ what: String, in path: String, reached: (DataPoint) -> Void = { _ in }) throws {
        guard try isUnderWay else { return }
        reached(.removed)
        try db.execute(sql: "VACUUM")
        reached(.rewritten)
        // Frames of the log still have the old pages. TRUNCATE also cuts the file, so none of them
        // stays in it.
        guard try db.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
            throw StoreError(
                .unavailable,
                message: "could not empty the log of \(path), because another connection reads it; the \(what) are "
                    + "removed, and their bytes are erased at the next attempt or when the file is opened again"
            )
        }
        // Last of all: a process killed before leaves the mark, and the next opening starts again.
        try db.execute(sql: "DELETE FROM wipe")
    }
}
#endif
