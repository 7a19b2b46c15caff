public import WharfCore

/// The age of rows that are stale, and the error if they could not be fetched.
public struct Staleness: Sendable, Equatable {
    /// The time since the origin last sent or revalidated the rows.
    ///
    /// It is nil if nothing is stored.
    public let age: Duration?
    /// Why there are no newer rows; nil during a fetch, or if none was tried.
    public let error: ReadFailure?

    /// Returns nil for a snapshot without an error that is not past its `staleAt`.
    ///
    /// A stored value without `staleAt` never counts as past.
    public init?<Value>(_ snapshot: Snapshot<Value>, at now: WallTime) {
        let isPast = snapshot.kept?.staleAt.map { $0 <= now } ?? false
        guard isPast || snapshot.error != nil else { return nil }
        age = snapshot.kept?.age(at: now)
        error = snapshot.error
    }
}
