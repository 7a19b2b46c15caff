#if Server
internal import NIOCore
internal import NIOHTTP1
internal import WharfCore

/// Reads an origin's answer to a handshake that is not 101, at the pace of its reader.
final class RefusalReader: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The connection ended before the answer.
    private struct Ended: Error, CustomStringConvertible {
        let description = "the origin closed the connection"
    }

    /// The parser found 101 after another interim response, or in another version.
    private struct LateSwitch: Error, CustomStringConvertible {
        let description = "its answer 101 is not the first one of HTTP/1.1"
    }

    /// The status is none of a final answer, or the body has an unknown transfer coding.
    private struct InvalidHead: Error, CustomStringConvertible {
        let description = "the status or the Transfer-Encoding of its answer is invalid"
    }

    private let body: ChannelBody
    private let clock: any WallClock
    private let report: @Sendable (Result<OriginConnection, TransportError>) -> Void
    private let failure: @Sendable (any Error, TransportError.Code) -> TransportError

    init(
        _ channel: any Channel, clock: any WallClock,
        report: @escaping @Sendable (Result<OriginConnection, TransportError>) -> Void,
        failure: @escaping @Sendable (any Error, TransportError.Code) -> TransportError
    ) {
        body = ChannelBody {
        } onRoom: {
            channel.read()
        }
        self.clock = clock
        self.report = report
        self.failure = failure
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head) where head.status == .switchingProtocols: end(LateSwitch(), .invalidResponse)
        // As `AnswerCheck` for requests. The client would read a coded body as a complete one.
        case .head(let head)
        where !(200...999).contains(head.status.code)
            || head.headers[canonicalForm: "transfer-encoding"].contains { $0.lowercased() != "chunked" }:
            end(InvalidHead(), .invalidResponse)
        case .head(let head):
            var fields = HTTPFields()
            for (name, value) in head.headers {
                if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
            }
            let answer = TransportResponse(
                head: HTTPResponse(status: .init(code: Int(head.status.code)), headerFields: fields),
                body: BodyStream(body, expectedLength: fields[.contentLength].flatMap { Int64($0) }),
                provenance: .bypassing(at: clock.now()))
            report(.success(OriginConnection(channel: context.channel, answer: answer, relay: nil)))
        case .body(let bytes): body.append(Array(bytes.readableBytesView))
        case .end: body.complete()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { end(Ended(), .connectionLost) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(Ended(), .connectionLost)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(error, error is HTTPParserError ? .invalidResponse : .connectionLost)
        context.close(promise: nil)
    }

    /// Ends the wait for the answer, or its body before the end.
    private func end(_ error: any Error, _ code: TransportError.Code) {
        let error = failure(error, code)
        report(.failure(error))
        body.fail(error)
    }

    func read(context: ChannelHandlerContext) {
        // `ChannelBody` calls for the next read when it has room.
        if !body.isFull { context.read() }
    }
}
#endif
