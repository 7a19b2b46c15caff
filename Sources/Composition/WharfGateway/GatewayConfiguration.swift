public import WharfCore

/// The address, the limits and the fields of a `Gateway`.
///
/// ```swift
/// var configuration = GatewayConfiguration(address: "0.0.0.0:8080")
/// configuration.requestBodyLimit = 10 << 20
/// ```
public struct GatewayConfiguration: Sendable {
    /// The way in which the origin is told about the client.
    public enum Forwarding: Sendable, Hashable {
        /// The client's address is added to those that the request already names.
        ///
        /// Use it behind another proxy. A client may invent addresses before its own.
        case append
        /// The fields of the request are replaced, so that they name the client alone.
        case replace
        /// The fields of the request are removed, and none is added.
        case remove
    }

    /// The fields that name the client.
    public enum ForwardingFields: Sendable, Hashable {
        /// `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`.
        case xForwarded
        /// `Forwarded` (RFC 7239).
        case forwarded
    }

    /// The address to listen at, with its port; port 0 for a free one.
    ///
    /// Examples are `127.0.0.1:8080`, `localhost:0` and `[::1]:8080`.
    public var address: String
    /// The certificate for https; nil for http.
    ///
    /// With it, clients use TLS 1.2 or newer, and HTTP/2 or HTTP/1.1. A client that speaks http is
    /// disconnected.
    public var certificate: GatewayCertificate?
    /// Further names by which clients may address the gateway, such as `api.example.com`.
    ///
    /// A request for another name is refused with 421. The gateway knows its own address, and
    /// `localhost` for a loopback address. At `0.0.0.0` or `[::]` it accepts any name if this set
    /// is empty.
    public var names: Set<String> = []
    /// The path of a PEM file with the authorities that may certify an https origin of a WebSocket.
    ///
    /// nil for those of the system. Requests go over the transport, which has its own.
    public var webSocketAuthorities: String?
    /// The account of the requests, for a private cache.
    public var account: Account?
    /// The switches that work while the gateway runs.
    public var controls = GatewayControls()
    /// The limit for an exchange with the transport, body included; nil for none.
    ///
    /// A long download counts too. To detect an origin that hangs, limit the pauses by the
    /// transport's own read timeout.
    public var timeout: Duration?
    /// The time that a client may take for a handshake, a head, a piece of a body, or to read 64
    /// KB.
    ///
    /// The connection of a slower client is closed after one to two times this duration. In HTTP/2
    /// it is the stream. It is also the limit for an idle connection.
    public var clientTimeout: Duration = .seconds(30)
    /// The time for requests in flight to end at a graceful shutdown.
    ///
    /// The connections that are left are closed.
    public var drainLimit: Duration = .seconds(10)
    /// The most bytes of a request's head; a longer head is refused with 431.
    ///
    /// In HTTP/2, each field counts 32 bytes more (RFC 9113 §6.5.2). A head above twice the limit
    /// ends the connection, and so does one above 16 KB before the client has the settings.
    public var requestHeadLimit = 64 << 10
    /// The most bytes of a request's body, refused with 413 above it; nil for no limit.
    public var requestBodyLimit: Int64?
    /// The name of the gateway in `Via` and `Cache-Status`.
    public var name = "wharf"
    /// The way in which the origin is told about the client.
    public var forwarding: Forwarding = .append
    /// The fields that name the client.
    public var forwardingFields: ForwardingFields = .xForwarded

    /// Whether a gateway on all interfaces accepts any name, if ``names`` is empty.
    ///
    /// The admin page accepts none that a DNS record could give to it.
    var acceptsUnknownNames = true

    /// Called for each answer when it begins, on any thread. It must return quickly.
    public var onExchange: (@Sendable (GatewayExchange) -> Void)?

    /// Creates a configuration.
    public init(address: String = "127.0.0.1:0") { self.address = address }
}
