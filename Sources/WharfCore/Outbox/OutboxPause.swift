/// A destination of one account, as a person or the app pauses it.
///
/// ```swift
/// let api = PausedDestination("api", of: account)
/// var commit = Commit()
/// commit.paused = [api: OutboxPause(since: clock.now(), reason: "the service moves")]
/// try await store.commit(commit)
/// ```
///
/// While the destination is paused:
///
/// - The journal leases none of its lanes. Other accounts go on, and so do the account's other
///   destinations.
/// - Entries are enqueued, retried and discarded as before, and keep their order.
/// - A lane that was leased before is delivered to the end of its lease.
public struct PausedDestination: Hashable, Sendable {
    public var account: Account?
    /// The name of a ``Destination``.
    public var destination: String

    /// Names a destination.
    ///
    /// - Parameter account: nil for entries without an account.
    public init(_ destination: String, of account: Account? = nil) {
        self.account = account
        self.destination = destination
    }
}

/// The time and the reason of a pause.
public struct OutboxPause: Hashable, Sendable {
    /// The time at which the destination was paused first.
    public var since: WallTime
    /// A short text for people.
    public var reason: String?

    /// Creates a pause.
    public init(since: WallTime, reason: String? = nil) {
        self.since = since
        self.reason = reason
    }

    /// The pause of a destination that was paused before this pause was made.
    ///
    /// - Returns: the time of the first pause, with the reason of the later one if it has one.
    package func following(_ first: OutboxPause?) -> OutboxPause {
        guard let first else { return self }
        return OutboxPause(since: first.since, reason: reason ?? first.reason)
    }
}
