#if SQLite
package import WharfCore

/// The moments in the life of a write, for tests that kill the process at them.
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

/// What only tests set.
package struct SQLiteCacheProbe: Sendable {
    /// Called at each point, on whatever thread the write runs on.
    package var reached: (@Sendable (WritePoint) -> Void)?
    /// Makes the file full at so many pages (`PRAGMA max_page_count`).
    package var pageLimit: Int?
    /// Called with a file or folder that was made and has got its attributes; an error stands for
    /// that of the system.
    package var made: (@Sendable (String) -> StoreError?)?

    package init(pageLimit: Int? = nil, reached: (@Sendable (WritePoint) -> Void)? = nil) {
        self.pageLimit = pageLimit
        self.reached = reached
    }
}
#endif
