#if SQLite
public import WharfCore

/// Keeps the system from suspending the process while it writes to a file.
///
/// iOS kills a process that it suspends while that holds a lock on a file in a shared folder
/// (0xdead10cc). A ``SQLiteDataFile`` and a ``SQLiteCacheStore`` hold an assertion while they open
/// and while they write: one for all writes that go on at a time.
public protocol BackgroundAssertion: Sendable {
    /// Asks for time. The process is not suspended from the return of this call until the end.
    ///
    /// - Parameter onExpiry: called, on any thread, if the time runs out before the end: the write
    ///   is interrupted, changes nothing, and the end is called soon after.
    /// - Returns: the end, which is called exactly once.
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` when the system gives no time. Then
    ///   nothing is written; the next write asks again.
    func begin(
        onExpiry: @escaping @Sendable () -> Void
    ) async throws(StoreError) -> @Sendable () -> Void
}
#endif
