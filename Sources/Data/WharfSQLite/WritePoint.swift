package import WharfCore

/// The moments of a cache write at which tests kill the process.
package enum WritePoint: String, Sendable, CaseIterable {
    case begun
    case appended
    /// The file of a large body was made.
    case fileMade
    case pieceWritten
    case fileSynced
    /// The file has its last name, and no row yet.
    case fileRenamed
    case inTransaction
    case headWritten
    case bodyWritten
    case evicted
    case beforeCommit
    case afterCommit
}

/// Hooks and limits for tests.
package struct SQLiteCacheProbe: Sendable {
    /// Called at each point, on the thread of the write.
    package var reached: (@Sendable (WritePoint) -> Void)?
    /// Called before a piece of a body file is read, on the thread of the read.
    package var reading: (@Sendable () -> Void)?
    /// The size in pages at which the file is full (`PRAGMA max_page_count`).
    package var pageLimit: Int?
    /// Called with a new file or folder after its attributes were set.
    ///
    /// A returned error stands for an error of the system.
    package var made: (@Sendable (String) -> StoreError?)?
    /// Called at each point of a body file. A returned error stands for an error of the system.
    package var fails: (@Sendable (WritePoint) -> StoreError?)?
    /// The longest body, in bytes, that is stored in its row.
    package var rowLimit: Int
    /// Returns the token of a new body file, which is practically unique.
    package var token: @Sendable () -> UInt64 = { .random(in: 1 ... .max) }

    /// The default of ``rowLimit``.
    ///
    /// SQLite reads and writes a blob as a whole, through memory. A file costs several calls of the
    /// system and a sync, which a body of four pieces or less would not repay. Few bodies of an API
    /// are longer.
    package static let defaultRowLimit = 256 << 10

    /// Creates a probe; the defaults change nothing.
    package init(
        pageLimit: Int? = nil, rowLimit: Int = defaultRowLimit, reached: (@Sendable (WritePoint) -> Void)? = nil
    ) {
        self.pageLimit = pageLimit
        self.rowLimit = rowLimit
        self.reached = reached
    }
}
