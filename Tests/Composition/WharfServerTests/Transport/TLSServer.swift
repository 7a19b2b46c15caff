import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization
import TestCertificates

/// A TLS origin on the loopback interface that answers 200 to every request, and counts requests.
final class TLSServer: Sendable {
    let port: Int
    private let channel: any Channel
    private let log: Log

    private final class Log: Sendable {
        let requests = Atomic(0)
        let handshakes = Atomic(0)
    }

    static func run(_ body: (TLSServer) async throws -> Void) async throws {
        let server = try await TLSServer()
        do {
            try await body(server)
            try await server.channel.close()
        } catch {
            try await server.channel.close()
            throw error
        }
    }

    /// The number of heads received. A client that checks the key first sends none to a server that
    /// it refuses.
    var requests: Int { log.requests.load(ordering: .relaxed) }
    var handshakes: Int { log.handshakes.load(ordering: .relaxed) }

    private init() async throws {
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try TestCertificate.first.certificate())],
            privateKey: .privateKey(try TestCertificate.first.privateKey()))
        let context = try NIOSSLContext(configuration: configuration)
        let log = Log()
        self.log = log
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answering(log: log))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let log: Log

        init(log: Log) { self.log = log }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case TLSUserEvent.handshakeCompleted = event { log.handshakes.add(1, ordering: .relaxed) }
            context.fireUserInboundEventTriggered(event)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: log.requests.add(1, ordering: .relaxed)
            case .body: break
            case .end:
                let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "6"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "secret")))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }

        /// Tests break the handshake off on purpose.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
