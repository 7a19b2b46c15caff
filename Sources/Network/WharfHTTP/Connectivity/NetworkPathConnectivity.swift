#if canImport(Network)
internal import Dispatch
internal import Network
public import WharfCore

/// The reachability of the network, as the system's `NWPathMonitor` reports it.
///
/// One instance serves all repositories of an app.
///
/// ```swift
/// let network = NetworkPathConnectivity()
/// let notes = Repository(.notes, in: store, remote: source, configuration: .init(connectivity: network))
/// ```
///
/// It reports a network until the system's first report, and when only a connection attempt would
/// tell, as with a VPN on demand. It watches until it is released.
public final class NetworkPathConnectivity: Connectivity, @unchecked Sendable {
    // Unchecked because some SDKs do not declare `NWPathMonitor` as sendable. The monitor is used
    // only in `init` and `deinit`.
    private let turns = ConnectivityChanges(isOnline: true)
    private let monitor = NWPathMonitor()

    /// Starts watching.
    public init() {
        monitor.pathUpdateHandler = { [turns] path in
            let isOnline = path.status != .unsatisfied
            // The handler is also called when the path changes from one network to another. The
            // check and the report can't race, because the handler runs on one serial queue.
            if isOnline != turns.isOnline { turns.tell(online: isOnline) }
        }
        monitor.start(queue: DispatchQueue(label: "wharf.network-path"))
    }

    deinit {
        // The monitor first: no report comes after the end of the subscriptions.
        monitor.cancel()
        turns.finish()
    }

    public var isOnline: Bool { turns.isOnline }

    public func changes() -> AsyncStream<Bool> { turns.changes() }
}
#endif
