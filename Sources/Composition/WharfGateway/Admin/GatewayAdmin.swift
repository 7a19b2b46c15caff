#if Server
public import ServiceLifecycle
public import WharfCore
public import WharfStorage

/// The health, the metrics and a web page of a ``Gateway``, at an address of its own.
///
/// ```swift
/// let admin = try await GatewayAdmin(address: "127.0.0.1:9090", gateway: gateway, store: store)
/// print("admin page at \(admin.url)")
/// let services = ServiceGroup(services: [admin, gateway], logger: logger)
/// ```
///
/// | request | answer |
/// |---|---|
/// | `GET /` | the page: switches, live requests, kept answers |
/// | `GET /healthz` | 200, or 503 while the gateway ends its last requests |
/// | `GET /metrics` | the text format 0.0.4 of Prometheus |
/// | `GET /state.json` | the state that the page shows |
/// | `GET /entries.json` | kept answers, the most recently used first; `?after=` gets the next page |
/// | `POST /offline`, `POST /online` | the switch of ``GatewayControls/isOffline`` |
/// | `POST /faults/on`, `POST /faults/off` | the switch of ``GatewayControls/injectsFaults`` |
/// | `POST /entries/remove?id=` | removes a kept answer |
///
/// - **Access.** There is no password: each program that reaches the address may use the switches.
///   Choose a loopback address, or a network that is closed to others.
/// - **Browsers.** A page of another site can neither read nor switch. The host of a request must
///   be the address itself or `localhost`, so a DNS name that another site controls is refused.
/// - **Secrets.** No answer has the query of a URL or a field of a request. Paths are shown, so a
///   token in a path is visible.
/// - **Lifecycle.** It listens from its creation and answers from ``run()``. In a service group it
///   stands before its gateway, so that it ends last and can report the gateway's end.
public final class GatewayAdmin: Service {
    let server: Gateway

    /// Binds the address. ``run()`` accepts connections.
    ///
    /// - Parameters:
    ///   - address: as ``GatewayConfiguration/address``.
    ///   - gateway: the gateway that it shows and switches.
    ///   - store: the store of the gateway's cache; nil if its entries are not shown.
    ///   - wallClock: tells the age of the entries. It is that of the cache.
    /// - Throws: ``GatewayError`` if the address is no address, or its port can't be used.
    public init(
        address: String, gateway: Gateway, store: (any InspectableCacheStore)?, wallClock: any WallClock = .system
    ) async throws(GatewayError) {
        var configuration = GatewayConfiguration(address: address)
        configuration.acceptsUnknownNames = false
        // A WebSocket is refused: there is no origin that could take it.
        configuration.controls = GatewayControls(isOffline: true)
        configuration.requestBodyLimit = 0
        // The switches compare `Origin` with the host that the client used, and no client may say
        // another one.
        (configuration.forwarding, configuration.forwardingFields) = (.replace, .xForwarded)
        // The admin page is a gateway too, whose transport answers by itself. So its connections,
        // limits and refusals are those of the gateway.
        server = try await Gateway(
            origin: "http://admin.invalid", transport: AdminSite(gateway, store: store, wallClock: wallClock),
            configuration: configuration, clock: gateway.core.clock, wallClock: wallClock)
    }

    /// The address of the page, such as `http://127.0.0.1:9090`.
    public var url: String { server.url }

    /// Answers until ``shutDown()``, a graceful shutdown or a cancellation.
    ///
    /// Call it once.
    ///
    /// - Throws: ``GatewayError`` if the listening socket fails.
    public func run() async throws { try await server.run() }

    /// Ends ``run()``, after the requests in flight.
    ///
    /// It returns at once.
    public func shutDown() { server.shutDown() }
}
#endif
