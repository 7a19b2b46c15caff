#if Server
internal import NIOCore
internal import WharfCore
internal import WharfPrimitives

/// Reads the head of an origin's answer to a handshake, if it is 101.
///
/// The bytes after this head are the WebSocket's. SwiftNIO's parser would lose them if the origin
/// closed its side at once. It gets every other answer.
final class SwitchDetector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The longest head of an answer.
    private static let limit = 64 << 10
    private static let switching = Array("HTTP/1.1 101".utf8)

    /// An answer of 101 that opens no WebSocket.
    private struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    private let clock: any WallClock
    private let report: @Sendable (Result<OriginConnection, TransportError>) -> Void
    private let failure: @Sendable (any Error, TransportError.Code) -> TransportError
    /// The bytes of a head without its end; nil after the decision.
    private var start: ByteBuffer? = ByteBuffer()

    init(
        clock: any WallClock, report: @escaping @Sendable (Result<OriginConnection, TransportError>) -> Void,
        failure: @escaping @Sendable (any Error, TransportError.Code) -> TransportError
    ) {
        self.clock = clock
        self.report = report
        self.failure = failure
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard var start else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        start.writeBuffer(&bytes)
        self.start = start
        let view = start.readableBytesView
        guard view.starts(with: Self.switching.prefix(view.count)) else {
            self.start = nil
            return context.fireChannelRead(wrapInboundOut(start))
        }
        guard let end = view.firstRange(of: Array("\r\n\r\n".utf8)) else {
            if view.count > Self.limit { fail(context, Malformed(description: "the head of its answer has no end")) }
            return
        }
        do throws(Malformed) {
            let head = try Self.head(String(decoding: view[..<end.lowerBound], as: UTF8.self))
            start.moveReaderIndex(to: end.upperBound)
            self.start = nil
            try begin(context, head, start)
        } catch {
            fail(context, error)
        }
    }

    private func begin(
        _ context: ChannelHandlerContext, _ head: HTTPResponse, _ rest: ByteBuffer
    ) throws(Malformed) {
        let relay = Relay()
        do {
            try context.pipeline.syncOperations.addHandler(relay, position: .after(self))
        } catch {
            throw Malformed(description: "\(error)")
        }
        // The end keeps them until the client's end is there.
        if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
        let answer = TransportResponse(
            head: head, body: .empty, provenance: .bypassing(at: clock.now()))
        report(
            .success(
                OriginConnection(
                    channel: context.channel, answer: answer,
                    relay: NIOLoopBound(relay, eventLoop: context.eventLoop))))
    }

    private func fail(_ context: ChannelHandlerContext, _ error: Malformed) {
        start = nil
        report(.failure(failure(error, .invalidResponse)))
        context.close(promise: nil)
    }

    /// Parses the status line and the fields.
    private static func head(_ text: String) throws(Malformed) -> HTTPResponse {
        var fields = HTTPFields()
        for line in text.split(separator: "\r\n", omittingEmptySubsequences: false).dropFirst() {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                throw Malformed(description: "a field of its answer has no name")
            }
            let value = line[line.index(after: colon)...]
            fields.append(HTTPField(name: name, value: String(value.drop { $0 == " " || $0 == "\t" })))
        }
        // RFC 6455 §4.1: without both fields the client must fail the connection.
        guard has("websocket", in: fields[values: .upgrade]), has("upgrade", in: fields[values: .connection])
        else { throw Malformed(description: "its answer 101 is for another protocol") }
        return HTTPResponse(status: .switchingProtocols, headerFields: fields)
    }

    private static func has(_ member: String, in values: [String]) -> Bool {
        values.contains { value in FieldList.members(value).contains { $0.lowercased() == member } }
    }
}
#endif
