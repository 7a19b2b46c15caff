public import WharfCore

/// What is known of rows that are old, or could not be had.
public struct Staleness: Sendable, Equatable {
    /// Since the origin vouched for them; nil where nothing is kept.
    public let age: Duration?
    /// Why there is nothing newer; nil while that is being fetched, or nobody has asked.
    public let error: ReadFailure?

    /// Nil for a snapshot without an error whose value may still be used, or for which nobody has
    /// said how long.
    public init?<Value>(_ snapshot: Snapshot<Value>, at now: WallTime) {
        let isPast = snapshot.kept?.staleAt.map { $0 <= now } ?? false
        guard isPast || snapshot.error != nil else { return nil }
        age = snapshot.kept?.age(at: now)
        error = snapshot.error
    }
}
