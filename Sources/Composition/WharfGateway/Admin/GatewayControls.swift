internal import Synchronization

/// The switches of a running gateway: offline, and injected faults.
///
/// The gateway reads them for each request, and its admin page sets them.
///
/// ```swift
/// let controls = GatewayControls()
/// configuration.controls = controls
/// controls.isOffline = true
/// ```
public final class GatewayControls: Sendable {
    /// Whether there are faults to inject, so that ``injectsFaults`` has an effect.
    public let hasFaults: Bool
    private let offline: Atomic<Bool>
    private let faults: Atomic<Bool>

    /// Creates switches.
    ///
    /// - Parameters:
    ///   - isOffline: whether the gateway starts offline.
    ///   - hasFaults: whether a ``SwitchedTransport`` reads these switches. The faults are on from
    ///     the start.
    public init(isOffline: Bool = false, hasFaults: Bool = false) {
        self.hasFaults = hasFaults
        offline = Atomic(isOffline)
        faults = Atomic(hasFaults)
    }

    /// Whether requests are answered from the cache alone.
    ///
    /// A request without a stored answer is answered with 504. A change applies to requests that
    /// begin after it. Revalidations in the background that have begun are finished.
    public var isOffline: Bool {
        get { offline.load(ordering: .relaxed) }
        set { offline.store(newValue, ordering: .relaxed) }
    }

    /// Whether requests to the origin go through the transport with faults.
    ///
    /// Without a ``SwitchedTransport`` it has no effect. A change applies to requests that are sent
    /// after it.
    public var injectsFaults: Bool {
        get { faults.load(ordering: .relaxed) }
        set { faults.store(newValue, ordering: .relaxed) }
    }
}
