public import WharfCore

/// Keeps the system from suspending the process while it writes to a file.
///
/// iOS kills a process that is suspended while it holds a lock on a file in a shared folder
/// (0xdead10cc). A ``SQLiteDataFile`` and a ``SQLiteCacheStore`` hold an assertion while they open
/// and while they write: one for all concurrent writes.
public protocol BackgroundAssertion: Sendable {
    /// Asks the system for time.
    ///
    /// The process is not suspended from the return of this call until the returned function is
    /// called.
    ///
    /// - Parameter onExpiry: called, on any thread, if the time runs out earlier. The write is
    ///   interrupted and changes nothing, and the returned function is called soon after.
    /// - Returns: the function that ends the assertion. It is called exactly once.
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` when the system gives no time. Then
    ///   nothing is written; the next write asks again.
    func begin(
        onExpiry: @escaping @Sendable () -> Void
    ) async throws(StoreError) -> @Sendable () -> Void
}
