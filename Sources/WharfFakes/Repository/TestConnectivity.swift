public import WharfCore

/// A network that is there or not, as the test says.
public final class TestConnectivity: Connectivity {
    private let turns: ConnectivityTurns

    public init(isOnline: Bool = true) {
        turns = ConnectivityTurns(isOnline: isOnline)
    }

    public var isOnline: Bool { turns.isOnline }

    /// How many listen.
    public var readers: Int { turns.readers }

    /// Tells those who listen, also where it is no turn.
    public func turn(online isOnline: Bool) { turns.tell(online: isOnline) }

    public func changes() -> AsyncStream<Bool> { turns.changes() }
}
