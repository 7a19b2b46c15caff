import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import Testing

@testable import WharfGateway

/// A client of HTTP/2 over TLS, which checks nothing that it sends.
final class StreamClient: Sendable {
    let channel: any Channel
    private let streams: NIOHTTP2Handler.AsyncStreamMultiplexer<Void>
    private let frames: AsyncStream<HTTP2Frame>

    private init(
        _ channel: any Channel, _ streams: NIOHTTP2Handler.AsyncStreamMultiplexer<Void>,
        _ frames: AsyncStream<HTTP2Frame>
    ) {
        self.channel = channel
        self.streams = streams
        self.frames = frames
    }

    /// Connects to a gateway, and disconnects after `body`.
    static func run(_ gateway: Gateway, _ body: (StreamClient) async throws -> Void) async throws {
        let tls = try TestIdentity.client(["h2"])
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.hours(24))
            .connect(host: "127.0.0.1", port: gateway.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    var configuration = NIOHTTP2Handler.Configuration()
                    configuration.connection.headerBlockValidation = .disabled
                    configuration.connection.contentLengthValidation = .disabled
                    try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: "localhost"))
                    let streams = try pipeline.configureAsyncHTTP2Pipeline(
                        mode: .client, configuration: configuration
                    ) { $0.eventLoop.makeSucceededVoidFuture() }
                    let (frames, continuation) = AsyncStream.makeStream(of: HTTP2Frame.self)
                    try pipeline.addHandler(RootReader(continuation))
                    return StreamClient(channel, streams, frames)
                }
            }
        do {
            try await body(client)
            client.channel.close(promise: nil)
            try await client.channel.closeFuture.get()
        } catch {
            client.channel.close(promise: nil)
            throw error
        }
    }

    /// Opens a stream, and resets it after `body` if it has not ended.
    func open<Result: Sendable>(_ body: (Stream) async throws -> Result) async throws -> Result {
        let channel = try await streams.openStream { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<HTTP2Frame.FramePayload, HTTP2Frame.FramePayload>(
                    wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(Stream(channel.channel, inbound, outbound))
        }
    }

    /// Sends a request without a body, and reads the answer.
    func get(_ path: String, of gateway: Gateway, _ fields: (String, String)...) async throws -> StreamAnswer {
        try await request(Self.head(path, of: gateway) + fields)
    }

    /// Sends a request without a body, and reads the answer.
    func request(_ fields: [(String, String)]) async throws -> StreamAnswer {
        try await open { stream in
            try await stream.send(fields, ends: true)
            return try await stream.answer()
        }
    }

    /// The fields of a request with the right authority.
    static func head(_ path: String, _ method: String = "GET", of gateway: Gateway) -> [(String, String)] {
        [(":method", method), (":scheme", "https"), (":authority", gateway.authority), (":path", path)]
    }

    /// The next GOAWAY frame; nil if the connection ends without one.
    func goAway() async -> (last: HTTP2StreamID, code: HTTP2ErrorCode)? {
        for await frame in frames {
            if case .goAway(let last, let code, _) = frame.payload { return (last, code) }
        }
        return nil
    }

    static let pingData = HTTP2PingData(withInteger: 7)

    func ping() async throws {
        try await channel.writeAndFlush(
            HTTP2Frame(streamID: .rootStream, payload: .ping(Self.pingData, ack: false)))
    }

    /// The data of the next answer to a PING; nil if the connection ends without one.
    func pong() async -> HTTP2PingData? {
        for await frame in frames {
            if case .ping(let data, ack: true) = frame.payload { return data }
        }
        return nil
    }

    /// Waits until the gateway has closed the connection.
    func end() async throws { try await channel.closeFuture.get() }

    private final class RootReader: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame

        private let frames: AsyncStream<HTTP2Frame>.Continuation

        init(_ frames: AsyncStream<HTTP2Frame>.Continuation) { self.frames = frames }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { frames.yield(unwrapInboundIn(data)) }

        func channelInactive(context: ChannelHandlerContext) { frames.finish() }

        /// Tests break streams on purpose.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }

    /// One stream.
    final class Stream {
        private let channel: any Channel
        private let outbound: NIOAsyncChannelOutboundWriter<HTTP2Frame.FramePayload>
        // Used by the test's task alone. Its `next()` runs on no actor of the caller.
        private nonisolated(unsafe) var inbound: NIOAsyncChannelInboundStream<HTTP2Frame.FramePayload>.AsyncIterator

        init(
            _ channel: any Channel, _ inbound: NIOAsyncChannelInboundStream<HTTP2Frame.FramePayload>,
            _ outbound: NIOAsyncChannelOutboundWriter<HTTP2Frame.FramePayload>
        ) {
            self.channel = channel
            self.inbound = inbound.makeAsyncIterator()
            self.outbound = outbound
        }

        func send(_ fields: [(String, String)], ends: Bool) async throws {
            try await outbound.write(.headers(.init(headers: HPACKHeaders(fields), endStream: ends)))
        }

        func send(_ bytes: [UInt8], ends: Bool = false) async throws {
            try await outbound.write(.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: ends)))
        }

        /// Sends bytes, and returns when the connection has taken them.
        ///
        /// `send` returns when SwiftNIO has them, whose buffer grows while its thread is busy.
        func push(_ bytes: [UInt8], ends: Bool = false) async throws {
            let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: ends)
            try await channel.writeAndFlush(HTTP2Frame.FramePayload.data(data)).get()
        }

        func reset() async throws { try await outbound.write(.rstStream(.cancel)) }

        func next() async throws -> HTTP2Frame.FramePayload? { try await inbound.next() }

        /// Reads the next block of fields.
        func head() async throws -> HPACKHeaders {
            while let frame = try await inbound.next() {
                if case .headers(let block) = frame { return block.headers }
            }
            throw RawClient.Ended(rest: "")
        }

        /// Reads the next piece of the body, which is empty at its end.
        func piece() async throws -> [UInt8] {
            while let frame = try await inbound.next() {
                if case .data(let data) = frame, case .byteBuffer(let bytes) = data.data {
                    return Array(bytes.readableBytesView)
                }
            }
            throw RawClient.Ended(rest: "")
        }

        /// Reads an answer up to the end of the stream.
        func answer() async throws -> StreamAnswer {
            var answer = StreamAnswer(head: try await head())
            while let frame = try await inbound.next() {
                switch frame {
                case .headers(let block):
                    answer.trailers = block.headers
                    if block.endStream { return answer }
                case .data(let data):
                    if case .byteBuffer(let bytes) = data.data { answer.body += bytes.readableBytesView }
                    if data.endStream { return answer }
                default: break
                }
            }
            throw RawClient.Ended(rest: answer.text)
        }

        /// Reads up to a reset of the stream, and returns its code; nil if the stream ends in
        /// order.
        func resetCode() async throws -> HTTP2ErrorCode? {
            do {
                while try await inbound.next() != nil {}
                return nil
            } catch let error as NIOHTTP2Errors.StreamClosed {
                return error.errorCode
            }
        }
    }
}

struct StreamAnswer: Sendable {
    let head: HPACKHeaders
    var body: [UInt8] = []
    var trailers: HPACKHeaders?

    init(head: HPACKHeaders) { self.head = head }

    var status: Int { self[":status"].flatMap { Int($0) } ?? 0 }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns the values of a field, joined by commas; nil if it is missing.
    subscript(_ name: String) -> String? {
        let values = head[name]
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
