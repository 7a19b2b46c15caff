#if canImport(Network)
internal import Dispatch
internal import Network
public import WharfCore

/// Whether there is a network, as the system's `NWPathMonitor` sees it. One serves all repositories
/// of an app.
///
/// ```swift
/// let network = NetworkPathConnectivity()
/// let notes = Repository(.notes, in: store, remote: source, connectivity: network)
/// ```
///
/// Until the system has said something, and where only a connection would tell (a VPN on demand),
/// there is one. It watches as long as somebody holds it.
public final class NetworkPathConnectivity: Connectivity, @unchecked Sendable {
    // Unchecked because not every SDK says that a monitor is sendable: it is made, started and
    // cancelled here and nowhere else.
    private let turns = ConnectivityTurns(isOnline: true)
    private let monitor = NWPathMonitor()

    public init() {
        monitor.pathUpdateHandler = { [turns] path in
            let isOnline = path.status != .unsatisfied
            // A path also changes from one network to another. On one queue, so nobody else tells
            // in between.
            if isOnline != turns.isOnline { turns.tell(online: isOnline) }
        }
        monitor.start(queue: DispatchQueue(label: "wharf.network-path"))
    }

    deinit {
        monitor.cancel()
        turns.finish()
    }

    public var isOnline: Bool { turns.isOnline }

    public func changes() -> AsyncStream<Bool> { turns.changes() }
}
#endif
