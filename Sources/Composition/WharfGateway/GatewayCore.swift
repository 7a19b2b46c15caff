#if Server
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import Synchronization
internal import WharfCore

/// The parts of a gateway that its connections share.
final class GatewayCore: Sendable {
    let site: Site
    let transport: any Transport
    let configuration: GatewayConfiguration
    let clock: any Clock<Duration>
    let wallClock: any WallClock
    /// The gateway's certificate and settings of TLS; nil without TLS.
    ///
    /// A connection takes them when it is accepted, so a renewed certificate changes no handshake
    /// under way.
    private let identity: Mutex<ServerIdentity?>
    /// The way to the origin for WebSockets. Requests go over the transport.
    let origin: OriginConnector
    let connections = ConnectionList()
    let activity: GatewayActivity

    init(
        site: Site, transport: any Transport, configuration: GatewayConfiguration, clock: any Clock<Duration>,
        wallClock: any WallClock, identity: ServerIdentity?
    ) throws(GatewayError) {
        self.site = site
        self.transport = transport
        self.configuration = configuration
        self.clock = clock
        self.wallClock = wallClock
        self.identity = Mutex(identity)
        origin = try OriginConnector(site, configuration, clock: clock, wallClock: wallClock)
        activity = GatewayActivity(clock: clock, startedAt: wallClock.now())
    }

    var tls: NIOSSLContext? { identity.withLock { $0?.context } }

    /// Replaces the certificate for connections that are accepted from now on.
    func replaceIdentity(with renewed: ServerIdentity) { identity.withLock { $0 = renewed } }

    /// Writes an answer of the gateway itself.
    ///
    /// - Parameter method: nil if the request could not be read.
    func write(
        _ refusal: Refusal, to method: HTTPRequest.Method?, on connection: ClientConnection, closes: Bool
    ) -> EventLoopFuture<Void> {
        let text = Array((refusal.message + "\n").utf8)
        let head = AnswerHead(
            refusal, length: text.count, closes: closes, namesClose: !connection.isStream, name: configuration.name,
            now: wallClock.now())
        connection.write(.head(head.head))
        // RFC 9110 §9.3.2: the answer to HEAD has no body.
        if method != .head { connection.write(.body(.byteBuffer(connection.channel.allocator.buffer(bytes: text)))) }
        connection.watch.step(expectsMore: true)
        return connection.flush(.end(nil))
    }

    // MARK: Reports

    func report(_ answer: TransportResponse, to request: HTTPRequest) {
        activity.count(AnswerSource(answer.provenance), answer.head.status)
        guard let onExchange = configuration.onExchange else { return }
        onExchange(
            GatewayExchange(
                method: request.method.rawValue, target: request.path ?? "/", status: answer.head.status,
                cacheStatus: answer.provenance.cacheStatus, failure: answer.provenance.failure))
    }

    /// - Parameter request: nil if the request could not be read.
    func report(_ refusal: Refusal, to request: HTTPRequest?) {
        activity.count(AnswerSource(refusal), refusal.status)
        guard let onExchange = configuration.onExchange else { return }
        onExchange(
            GatewayExchange(
                method: request?.method.rawValue ?? "", target: request?.path ?? "", status: refusal.status,
                cacheStatus: refusal.cacheStatus, failure: refusal.failure))
    }
}
#endif
