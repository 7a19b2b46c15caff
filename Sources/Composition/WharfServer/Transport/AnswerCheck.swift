#if Server
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import WharfCore

/// A channel handler after the content decoder that corrects the client's misreadings:
///
/// - The client takes a status below 100 for an interim head. A body after it would end the
///   process.
/// - It takes 101 for the final response, and a body with an unknown transfer coding for no body.
/// - It takes a response with `Content-Encoding` but no body for a truncated one. HEAD and 304 have
///   such responses, and a cache depends on 304.
final class AnswerCheck: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private var isForHead = false
    private var hasNoBody = false
    private var isBroken = false

    /// Adds the handler to a connection, or to a stream of one.
    @Sendable static func initialize(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: NIOHTTPResponseDecompressor.self)
            try pipeline.addHandler(AnswerCheck(), position: .after(decoder))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head(let head) = unwrapOutboundIn(data) { isForHead = head.method == .HEAD }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            if let error = Self.error(in: head) {
                isBroken = true
                context.fireErrorCaught(error)
                context.close(promise: nil)
                return
            }
            hasNoBody =
                isForHead || head.status == .notModified || head.status == .noContent
                || head.headers[canonicalForm: "Content-Length"] == ["0"]
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

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if hasNoBody, error as? NIOHTTPDecompression.ExtraDecompressionError == .truncatedData { return }
        context.fireErrorCaught(error)
    }
}

extension TransportError {
    static func status(_ code: Int) -> TransportError {
        TransportError(.invalidResponse, message: "the status \(code) does not have three digits (RFC 9110 §15)")
    }
}
#endif
