#if SQLite
package import WharfCore

/// The moments in the life of a commit to a data file, for tests that kill the process at them.
package enum DataPoint: String, Sendable, CaseIterable {
    case inTransaction
    case rowWritten
    case fieldsWritten
    case entryWritten
    case settled
    case leased
    case beforeCommit
    case afterCommit
    /// An account was removed; its bytes still lie in free pages.
    case removed
    /// And those were rewritten; they still lie in the log.
    case rewritten
}

/// What only tests set.
package struct SQLiteDataProbe: Sendable {
    /// Called at each point, on the thread that writes.
    package var reached: (@Sendable (DataPoint) -> Void)?
    /// Seconds that another process's lock is waited for.
    package var longestWait: Double
    /// Makes the file full at so many pages (`PRAGMA max_page_count`).
    package var pageLimit: Int?
    /// Whether the disk has no room for a transaction, asked before each commit.
    package var isFull: (@Sendable () -> Bool)?
    /// Called with a file or folder that was made and has got its attributes; an error stands for
    /// that of the system.
    package var made: (@Sendable (String) -> StoreError?)?

    /// Draws the number of an owner of leases, which is not negative.
    package var ownerNumber: @Sendable () -> Int64 = { Int64.random(in: 0...Int64.max) }

    package init(longestWait: Double = 10, pageLimit: Int? = nil, reached: (@Sendable (DataPoint) -> Void)? = nil) {
        self.longestWait = longestWait
        self.pageLimit = pageLimit
        self.reached = reached
    }
}
#endif
