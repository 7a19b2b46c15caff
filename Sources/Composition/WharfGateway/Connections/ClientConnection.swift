#if Server
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2
internal import NIOSSL
internal import Synchronization
internal import WharfCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The writing side of one connection of a client, shared by its requests in turn.
///
/// In HTTP/2 it is one stream of the connection, and has one request.
final class ClientConnection: Sendable {
    /// The longest piece that the client must take within its timeout.
    private static let slice = 64 << 10

    let channel: any Channel
    /// Whether it is a stream of HTTP/2.
    let isStream: Bool
    let executor: LoopExecutor
    /// The client's address; nil if the socket does not tell it.
    let address: String?
    let watch = ClientWatch()
    private let lastFlush = Mutex<EventLoopFuture<Void>?>(nil)

    init(_ channel: any Channel, isStream: Bool) {
        self.channel = channel
        self.isStream = isStream
        executor = LoopExecutor(channel.eventLoop)
        address = channel.remoteAddress?.ipAddress
    }

    func write(_ part: HTTPServerResponsePart) { channel.write(part, promise: nil) }

    /// Writes the last part and flushes, without a wait for the client.
    @discardableResult
    func flush(_ last: HTTPServerResponsePart) -> EventLoopFuture<Void> {
        watch.beginWrite()
        let written = channel.eventLoop.makePromise(of: Void.self)
        let flushed = written.futureResult
        flushed.whenComplete { [watch] _ in watch.endWrite() }
        // Before the write: it may deliver the next request, whose own flush is a later one.
        lastFlush.withLock { $0 = flushed }
        channel.writeAndFlush(last, promise: written)
        return flushed
    }

    /// Waits until the client has taken earlier answers, if it is behind.
    ///
    /// A client may send many requests and read no answer (RFC 9112 §9.3.2). Without this wait its
    /// answers would pile up in memory.
    func untilWritable() async throws {
        guard !channel.isWritable, let flush = lastFlush.withLock({ $0 }) else { return }
        try await flush.get()
    }

    /// Writes bytes at the client's pace.
    func send(_ bytes: ByteBuffer) async throws {
        var rest = bytes
        while let piece = rest.readSlice(length: min(rest.readableBytes, Self.slice)), piece.readableBytes > 0 {
            try await flush(.body(.byteBuffer(piece))).get()
        }
    }

    /// Writes bytes if they fit into one piece.
    ///
    /// - Returns: false if they do not, and nothing was written.
    func writeWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= Self.slice else { return false }
        if !bytes.isEmpty { write(.body(.byteBuffer(channel.allocator.buffer(bytes: bytes)))) }
        return true
    }

    /// Lets the channel read, after a pause for back-pressure.
    func readOn() {
        channel.eventLoop.execute { [self] in
            watch.step(expectsMore: true)
            channel.read()
        }
    }

    /// Passes an interim response of the origin on, unless the final answer has begun.
    ///
    /// It returns when the client has taken the response. An origin that sends them without end
    /// would otherwise fill the memory.
    func sendInterim(_ head: HTTPResponseHead, during phase: AnswerPhase) async {
        let flushing = channel.eventLoop.flatSubmit { [self] in
            phase.isWaiting ? flush(.head(head)) : channel.eventLoop.makeSucceededVoidFuture()
        }
        // It throws if the client has left, or the loop has ended.
        do { try await flushing.get() } catch {}
    }

    /// Sends 100 (Continue), unless the final answer has begun.
    func sendContinue(during phase: AnswerPhase) {
        // The transport reads the body on its own thread. Check and write are one step of the event
        // loop, so that no interim answer follows the final one.
        channel.eventLoop.execute { [self] in
            guard phase.isWaiting else { return }
            watch.step(expectsMore: true)
            flush(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
        }
    }

    /// Answers the handshake of a WebSocket, and passes the bytes on from then on.
    ///
    /// - Parameters:
    ///   - head: the answer without the fields of the connection.
    ///   - origin: the end of the connection to the origin.
    func join(_ head: HTTPResponseHead, _ origin: NIOLoopBound<Relay>) async throws {
        var text = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        for (name, value) in head.headers { text += "\(name): \(value)\r\n" }
        let answer = ByteBuffer(string: text + "\r\n")
        try await channel.eventLoop.submit { [channel, watch] in
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
            // It takes the bytes before the handlers of HTTP do, which stay without work.
            let relay = Relay(watch: watch)
            let pipeline = channel.pipeline.syncOperations
            if let tls = try? pipeline.handler(type: NIOSSLServerHandler.self) {
                try pipeline.addHandler(relay, position: .after(tls))
            } else {
                try pipeline.addHandler(relay, position: .first)
            }
            relay.write(answer)
            relay.flush()
            Relay.join(relay, origin.value)
        }.get()
    }

    /// Closes the connection in a way that the client can read the answer.
    ///
    /// Unread bytes of the client would make the system reset the connection, and the client could
    /// lose the answer (RFC 9112 §9.6). So only the output is closed. The connection's handler
    /// discards the input until the client closes, or its timeout ends.
    ///
    /// - Parameter written: the end of the answer.
    func closeAfterAnswer(_ written: EventLoopFuture<Void>) {
        written.whenComplete { [channel, isStream] _ in
            guard isStream else { return channel.close(mode: .output, promise: nil) }
            // RFC 9113 §8.1: the client stops sending the body, and keeps the answer. A stream
            // whose request is complete has ended already.
            guard channel.isActive else { return }
            channel.triggerUserOutboundEvent(StreamCodec.Reset(code: .noError), promise: nil)
        }
    }

    /// Closes the connection in mid-answer, so that the answer does not look complete.
    func abort(resets: Bool) {
        // The end of the connection is the end of an answer without framing. Only a reset shows
        // that it broke off.
        if isStream {
            channel.triggerUserOutboundEvent(StreamCodec.Reset(code: .internalError), promise: nil)
        } else if resets, let options = channel as? any SocketOptionProvider {
            options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { [channel] _ in
                channel.closeAtOnce()
            }
        } else {
            channel.closeAtOnce()
        }
    }
}

extension Channel {
    /// Closes the channel without a word to the client.
    ///
    /// TLS would first send that the answer is complete, and wait for the client's reply.
    func closeAtOnce() {
        eventLoop.execute { [self] in
            let pipeline = pipeline.syncOperations
            let tls =
                (try? pipeline.context(handlerType: NIOSSLServerHandler.self))
                ?? (try? pipeline.context(handlerType: NIOSSLClientHandler.self))
            if let tls { tls.close(promise: nil) } else { close(promise: nil) }
        }
    }
}
#endif
