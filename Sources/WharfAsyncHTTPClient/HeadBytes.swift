#if AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// Stands before the parser of answers, and sees the bytes that the parser spoils or the client
/// does not tell about:
///
/// - A field in Latin-1 (RFC 9110 §5.5) becomes UTF-8: SwiftNIO reads fields as UTF-8, and each
///   other byte would be lost.
/// - A connection that closes before the first byte of an answer says whether it had answered
///   before. The client sends nothing again by itself, and does not tell a kept connection from a
///   new one.
final class HeadBytes: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// Beyond the parser's limit for a head, which is 80 KB.
    private static let limit = 100_000

    private var requests = 0
    private var hasAnswerBegun = true
    private var isInHead = false
    /// Nil where the next line is a status line.
    private var isInterim: Bool?
    /// The line of the head that has no end yet, and how much of it the parser has.
    private var line: [UInt8] = []
    private var forwarded = 0

    /// Puts it into a connection of HTTP/1.1.
    @Sendable static func initialize(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandler(HeadBytes(), position: .before(parser))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = unwrapOutboundIn(data) {
            requests += 1
            hasAnswerBegun = false
            isInHead = true
            isInterim = nil
            (line, forwarded) = ([], 0)
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasAnswerBegun = true
        guard isInHead else { return context.fireChannelRead(data) }
        let bytes = unwrapInboundIn(data)
        var out = context.channel.allocator.buffer(capacity: bytes.readableBytes + line.count)
        var view = bytes.readableBytesView
        while isInHead, let byte = view.popFirst() {
            line.append(byte)
            if byte == UInt8(ascii: "\n") { endLine(into: &out) }
        }
        // Half a character can't be told from Latin-1 yet, so it waits for the rest of its line.
        if line[forwarded...].allSatisfy({ $0 < 0x80 }) || isInterim == nil || line.count > Self.limit {
            forwardLine(into: &out)
        }
        out.writeBytes(view)
        if out.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(out)) }
    }

    private func endLine(into out: inout ByteBuffer) {
        let isEmpty = line.count == 1 || line == [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        switch isInterim {
        // RFC 9112 §4: "HTTP/1.1 103". Empty lines may stand before it.
        case nil: if !isEmpty { isInterim = line.count > 9 && line[9] == UInt8(ascii: "1") }
        case true?: if isEmpty { isInterim = nil }
        case false?: if isEmpty { isInHead = false }
        }
        forwardLine(into: &out)
        (line, forwarded) = ([], 0)
    }

    private func forwardLine(into out: inout ByteBuffer) {
        let rest = line[forwarded...]
        forwarded = line.count
        if rest.allSatisfy({ $0 < 0x80 }) || String(validating: rest, as: UTF8.self) != nil {
            out.writeBytes(rest)
        } else {
            out.writeString(String(String.UnicodeScalarView(rest.map { UnicodeScalar($0) })))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !hasAnswerBegun, error is IOError else { return context.fireErrorCaught(error) }
        hasAnswerBegun = true
        context.fireErrorCaught(ClosedBeforeAnswer(wasKept: requests > 1))
    }

    func channelInactive(context: ChannelHandlerContext) {
        if line.count > forwarded {
            var out = context.channel.allocator.buffer(capacity: line.count)
            forwardLine(into: &out)
            context.fireChannelRead(wrapInboundOut(out))
        }
        if !hasAnswerBegun {
            hasAnswerBegun = true
            context.fireErrorCaught(ClosedBeforeAnswer(wasKept: requests > 1))
        }
        context.fireChannelInactive()
    }
}

/// The end of a connection between a request and the first byte of its answer.
struct ClosedBeforeAnswer: Error, CustomStringConvertible {
    /// Whether the connection had answered other requests before.
    let wasKept: Bool

    var description: String {
        "the origin closed \(wasKept ? "a kept" : "the") connection before the first byte of an answer"
    }
}
#endif
