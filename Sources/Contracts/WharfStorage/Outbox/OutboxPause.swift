public import WharfCore

/// A destination of one account that a person or the app pauses.
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
/// - The journal leases none of its lanes. Other accounts and other destinations of the account are
///   not affected.
/// - Entries are enqueued, retried and discarded as before, and keep their order.
/// - A lane that is already leased is delivered until its lease ends.
public struct PausedDestination: Hashable, Sendable {
    /// The account; nil for entries without an account.
    public var account: Account?
    /// The name of a ``Destination``.
    public var destination: String

    /// Creates the name of a destination of an account.
    ///
    /// - Parameter account: the account; nil for entries without an account.
    public init(_ destination: String, of account: Account? = nil) {
        self.account = account
        self.destination = destination
    }
}

/// The time and the reason of a pause.
public struct OutboxPause: Hashable, Sendable {
    /// The time of the first pause.
    public var since: WallTime
    /// A short text for people.
    public var reason: String?

    /// Creates a pause.
    public init(since: WallTime, reason: String? = nil) {
        self.since = since
        self.reason = reason
    }

    /// Returns this pause for a destination that may already be paused.
    ///
    /// - Returns: the time of the first pause, with the reason of the later one if it has one.
    package func following(_ first: OutboxPause?) -> OutboxPause {
        guard let first else { return self }
        // The first pause began the wait, so its time stays.
        return OutboxPause(since: first.since, reason: reason ?? first.reason)
    }
}
