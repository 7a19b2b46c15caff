#if Server
internal import NIOHTTP1
internal import Synchronization
internal import WharfCore

/// The parts of one exchange that the client drops: its interim heads and its trailers.
///
/// The client's own handlers drop them, so ``AnswerCheck`` takes them from the connection. A
/// request names its observer by a field, because a channel handler can't tell which task has sent
/// the request. The handler removes the field again before the request is encoded.
final class ExchangeObserver: Sendable {
    /// The field by which a request names its observer on the way to the connection.
    static let fieldName = "Wharf-Exchange"

    /// The observers of the requests that may still be sent.
    private static let all = Mutex<(last: UInt64, open: [String: ExchangeObserver])>((0, [:]))

    let id: String
    private let heads: AsyncStream<HTTPResponse>
    private let source: AsyncStream<HTTPResponse>.Continuation
    private let fields = Mutex<HTTPFields?>(nil)

    /// Creates an observer, which a handler finds until ``close()``.
    static func open() -> ExchangeObserver {
        all.withLock { all in
            all.last += 1
            let observer = ExchangeObserver("\(all.last)")
            all.open[observer.id] = observer
            return observer
        }
    }

    static func find(_ id: String) -> ExchangeObserver? { all.withLock { $0.open[id] } }

    private init(_ id: String) {
        self.id = id
        // The bound is for an origin that sends interim heads without end to a slow reader.
        (heads, source) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(100))
    }

    /// Ends the interim heads. No later attempt finds the observer.
    func close() {
        source.finish()
        Self.all.withLock { $0.open[id] = nil }
    }

    /// Passes on interim heads until ``close()``.
    func passOn(to onInterim: (@Sendable (HTTPResponse) async -> Void)?) async {
        for await head in heads { await onInterim?(head) }
    }

    /// The trailers; nil before the end of the body.
    var trailers: HTTPFields? { fields.withLock { $0 } }

    func receive(interim head: HTTPResponseHead) {
        source.yield(HTTPResponse(status: .init(code: Int(head.status.code)), headerFields: HTTPFields(head.headers)))
    }

    func receive(trailers: HTTPHeaders?) { fields.withLock { $0 = HTTPFields(trailers ?? [:]) } }
}

extension HTTPFields {
    /// Creates the fields of SwiftNIO's headers. A name that is no token is dropped.
    init(_ headers: HTTPHeaders) {
        self.init()
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}
#endif
