package import WharfCore

/// The moments of a commit to a data file at which tests kill the process.
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
    /// The pages were rewritten; the bytes still lie in the log.
    case rewritten
}

/// Hooks and limits for tests.
package struct SQLiteDataProbe: Sendable {
    /// Called at each point, on the writing thread.
    package var reached: (@Sendable (DataPoint) -> Void)?
    /// How long to wait for another process's lock, in seconds.
    package var longestWait: Double
    /// The size in pages at which the file is full (`PRAGMA max_page_count`).
    package var pageLimit: Int?
    /// Whether the disk has no room for a transaction; called before each commit.
    package var isFull: (@Sendable () -> Bool)?
    /// Called with a new file or folder after its attributes were set.
    ///
    /// A returned error stands for an error of the system.
    package var made: (@Sendable (String) -> StoreError?)?

    /// Draws the number of an owner of leases, which is not negative.
    package var ownerNumber: @Sendable () -> Int64 = { Int64.random(in: 0...Int64.max) }

    /// Creates a probe; the defaults change nothing.
    package init(longestWait: Double = 10, pageLimit: Int? = nil, reached: (@Sendable (DataPoint) -> Void)? = nil) {
        self.longestWait = longestWait
        self.pageLimit = pageLimit
        self.reached = reached
    }
}
