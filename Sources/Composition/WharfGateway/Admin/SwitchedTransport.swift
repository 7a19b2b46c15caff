public import WharfCore

/// Sends each request by one of two transports, as ``GatewayControls/injectsFaults`` says.
///
/// It stands between a cache and the origin:
///
/// ```swift
/// let controls = GatewayControls(hasFaults: true)
/// let origin = SwitchedTransport(plain: client, faulty: FaultyTransport(client, plan: plan), controls: controls)
/// let caching = CachingTransport(origin, store: store, configuration: .shared, onIncident: log)
/// ```
///
/// A request stays with its transport to the end of its body.
public struct SwitchedTransport: Transport {
    private let plain: any Transport
    private let faulty: any Transport
    private let controls: GatewayControls

    /// Creates a transport that reads the switch for each request.
    ///
    /// - Parameters:
    ///   - plain: sends while the faults are off.
    ///   - faulty: sends while they are on.
    ///   - controls: the switch.
    public init(plain: any Transport, faulty: any Transport, controls: GatewayControls) {
        self.plain = plain
        self.faulty = faulty
        self.controls = controls
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await (controls.injectsFaults ? faulty : plain).send(request)
    }
}
