#if Server
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2
internal import WharfCore

/// A channel handler after the response parser that corrects the client's misreadings:
///
/// - The client takes a status below 100 for an interim head. A body after it would end the
///   process.
/// - It takes 101 for the final response, and a body with an unknown transfer coding for no body.
///
/// It also passes interim heads and trailers, which the client drops, to the ``ExchangeObserver``.
final class AnswerCheck: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The observer of the current request; nil after its response.
    private var observer: ExchangeObserver?
    private var isBroken = false

    /// Adds the handler to an HTTP/1.1 connection.
    @Sendable static func initialize(connection channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandler(AnswerCheck(), position: .after(parser))
        }
    }

    /// Adds the handler to a stream of an HTTP/2 connection.
    @Sendable static func initialize(stream channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
            try pipeline.addHandler(AnswerCheck(), position: .after(parser))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        observer = head.headers.first(name: ExchangeObserver.fieldName).flatMap(ExchangeObserver.find)
        // It is for this handler alone.
        head.headers.remove(name: ExchangeObserver.fieldName)
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The parts after a refused head must not reach the client, which has seen no head.
        guard !isBroken else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if let error = Self.error(in: head) {
                isBroken = true
                context.fireErrorCaught(error)
                context.close(promise: nil)
                return
            }
            if head.status.code < 200 { observer?.receive(interim: head) }
        case .body: break
        case .end(let trailers):
            // Before the client gets the end, so a reader of the end finds them.
            observer?.receive(trailers: trailers)
            observer = nil
        }
        context.fireChannelRead(data)
    }

    private static func error(in head: HTTPResponseHead) -> TransportError? {
        guard (100...999).contains(head.status.code) else { return .status(Int(head.status.code)) }
        guard head.status != .switchingProtocols else {
            return TransportError(
                .invalidResponse,
                message: "the origin switched protocols (101), which the request did not ask for")
        }
        let codings = head.headers[canonicalForm: "Transfer-Encoding"]
        guard codings.allSatisfy({ $0.lowercased() == "chunked" || $0.lowercased() == "identity" }) else {
            return TransportError(
                .invalidResponse,
                message: "the response has a Transfer-Encoding other than chunked, which the request did not ask for: "
                    + codings.joined(separator: ", "))
        }
        return nil
    }
}

extension TransportError {
    static func status(_ code: Int) -> TransportError {
        TransportError(.invalidResponse, message: "the status \(code) does not have three digits (RFC 9110 §15)")
    }
}
#endif
