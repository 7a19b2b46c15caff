#if Server
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP1
internal import NIOHTTP2

/// Converts one stream of HTTP/2 to the parts of HTTP/1.1 and back, so that both share the
/// handlers after it.
final class StreamCodec: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// An outbound event that ends the stream at once.
    struct Reset: Sendable {
        let code: HTTP2ErrorCode
    }

    private let scheme: String
    private let headLimit: Int
    private var hasHead = false

    /// - Parameters:
    ///   - scheme: the scheme by which clients reach the gateway.
    ///   - headLimit: the most bytes of a head.
    init(scheme: String, headLimit: Int) {
        self.scheme = scheme
        self.headLimit = headLimit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let block) where !hasHead:
            hasHead = true
            do {
                let head = try StreamHead.request(
                    block.headers, endsStream: block.endStream, scheme: scheme, limit: headLimit)
                context.fireChannelRead(wrapInboundOut(.head(head)))
                if block.endStream { context.fireChannelRead(wrapInboundOut(.end(nil))) }
            } catch {
                context.fireErrorCaught(error)
            }
        // Trailers, which end the request.
        case .headers: context.fireChannelRead(wrapInboundOut(.end(nil)))
        case .data(let piece):
            if case .byteBuffer(let bytes) = piece.data, bytes.readableBytes > 0 {
                context.fireChannelRead(wrapInboundOut(.body(bytes)))
            }
            if piece.endStream { context.fireChannelRead(wrapInboundOut(.end(nil))) }
        // SwiftNIO acts on the other frames.
        default: break
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame: HTTP2Frame.FramePayload
        switch unwrapOutboundIn(data) {
        case .head(let head): frame = .headers(.init(headers: StreamHead.response(head)))
        case .body(let bytes): frame = .data(.init(data: bytes))
        case .end(let trailers?): frame = .headers(.init(headers: HPACKHeaders(httpHeaders: trailers), endStream: true))
        case .end(nil): frame = .data(.init(data: .byteBuffer(ByteBuffer()), endStream: true))
        }
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let reset = event as? Reset else { return context.triggerUserOutboundEvent(event, promise: promise) }
        context.writeAndFlush(wrapOutboundOut(.rstStream(reset.code)), promise: promise)
    }
}
#endif
