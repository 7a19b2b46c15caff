#if Server
internal import NIOCore
internal import NIOHTTP1

/// A channel handler before the response parser, for bytes that the parser or the client loses:
///
/// - It converts a field in Latin-1 (RFC 9110 §5.5) to UTF-8. SwiftNIO reads fields as UTF-8, so
///   other bytes would be lost.
/// - If a connection closes before the first byte of a response, it reports whether the connection
///   was reused. The client does not retry by itself, and does not report that.
final class HeadBytes: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// Above the parser's limit for a head, which is 80 KB.
    private static let limit = 100_000

    // Invariants between two calls, all of which run on the event loop:
    // - `line` is the unfinished line of a head, or empty.
    // - `forwarded` is at most `line.count`. No byte is passed on twice.
    private var requests = 0
    private var hasAnswerBegun = true
    private var isInHead = false
    /// Whether the head is an interim one; nil if the next line is a status line.
    private var isInterim: Bool?
    /// The current line of the head, and the number of its bytes that were passed to the parser.
    private var line: [UInt8] = []
    private var forwarded = 0

    /// Adds the handler to an HTTP/1.1 connection.
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
        // An incomplete UTF-8 character can't be told from Latin-1 yet, so it waits for the rest of
        // its line.
        if line[forwarded...].allSatisfy({ $0 < 0x80 }) || isInterim == nil || line.count > Self.limit {
            forwardLine(into: &out)
        }
        out.writeBytes(view)
        if out.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(out)) }
    }

    private func endLine(into out: inout ByteBuffer) {
        let isEmpty = line.count == 1 || line == [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        switch isInterim {
        // RFC 9112 §4: "HTTP/1.1 103". Empty lines may precede it.
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
        // Valid UTF-8 stays as it is. Any other byte above 0x7F is Latin-1, whose values are those
        // of Unicode scalars.
        if rest.allSatisfy({ $0 < 0x80 }) || String(validating: rest, as: UTF8.self) != nil {
            out.writeBytes(rest)
        } else {
            out.writeString(String(String.UnicodeScalarView(rest.map { UnicodeScalar($0) })))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // After the first byte it is a loss within the answer, which a repetition might double.
        guard !hasAnswerBegun, error is IOError else { return context.fireErrorCaught(error) }
        hasAnswerBegun = true
        context.fireErrorCaught(ClosedBeforeAnswer(wasKept: requests > 1))
    }

    func channelInactive(context: ChannelHandlerContext) {
        // The parser must see these bytes before the end. It would otherwise report another error
        // than for the same bytes in ASCII.
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

/// The error for a connection that closed between a request and the first byte of its response.
struct ClosedBeforeAnswer: Error, CustomStringConvertible {
    /// Whether the connection was reused: it had served other requests before.
    let wasKept: Bool

    var description: String {
        "the origin closed \(wasKept ? "a kept" : "the") connection before the first byte of a response"
    }
}
#endif
