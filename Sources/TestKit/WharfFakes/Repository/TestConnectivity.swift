public import WharfCore

/// A connectivity whose state the test sets.
public final class TestConnectivity: Connectivity {
    private let turns: ConnectivityChanges

    /// Creates a connectivity, which is online by default.
    public init(isOnline: Bool = true) {
        turns = ConnectivityChanges(isOnline: isOnline)
    }

    public var isOnline: Bool { turns.isOnline }

    /// The number of readers of changes.
    public var readers: Int { turns.readers }

    /// Reports a state to all readers, even if it is equal to the previous one.
    public func turn(online isOnline: Bool) { turns.tell(online: isOnline) }

    public func changes() -> AsyncStream<Bool> { turns.changes() }
}
