#if SQLite
package import WharfCore

/// The moments of a cache write at which tests kill the process.
package enum WritePoint: String, Sendable, CaseIterable {
    case begun
    case appended
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
    /// The size in pages at which the file is full (`PRAGMA max_page_count`).
    package var pageLimit: Int?
    /// Called with a new file or folder after its attributes were set.
    ///
    /// A returned error stands for an error of the system.
    package var made: (@Sendable (String) -> StoreError?)?

    /// Creates a probe; the defaults change nothing.
    package init(pageLimit: Int? = nil, reached: (@Sendable (WritePoint) -> Void)? = nil) {
        self.pageLimit = pageLimit
        self.reached = reached
    }
}
#endif
