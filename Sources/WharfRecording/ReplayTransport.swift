internal import Synchronization
internal import WharfChecks
public import WharfCore
internal import WharfFakes

/// Answers from the file that a ``RecordingTransport`` wrote: byte by byte what the service said,
/// without it.
///
/// ```swift
/// let client = APIClient(environment: environment, transport: try ReplayTransport("\(folder)/sign-in.json"))
/// ```
///
/// A request is answered with what came for one of the same method, URL and body (of JSON the same
/// values, however they are laid out); where there were several, with theirs in turn. A secret is
/// replaced before it is compared, so the test needs none. A request that is not in the file fails
/// the running test, and is answered with ``TransportError/Code/unexpectedRequest`` and how it
/// differs from the nearest one.
///
/// A replayed answer is as old as its `Date` says: below a cache, give the clock of the time when
/// it was recorded.
public final class ReplayTransport: Transport {
    private let stub: StubTransport

    /// - Parameters:
    ///   - fields: fields of requests that count too: `Accept`, for one.
    ///   - matchesBody: whether a body has to be the recorded one. Not where it differs each time,
    ///     by a boundary or a time.
    ///   - values: what ``Redaction/hiding(values:)`` hid when it was recorded; no file holds them.
    ///   - clock: stamps the answers.
    /// - Throws: ``RecordingError``, with line and column where the file is no recording.
    public init(
        _ path: String, fields: [HTTPField.Name] = [], matchesBody: Bool = true, hiding values: [String] = [],
        clock: any WallClock = .system, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) throws(RecordingError) {
        let recording = try RecordingFile(path: path).read()
        let expectations = recording.exchanges.map { StubTransport.Expectation($0, fields, matchesBody) }
        stub = StubTransport(
            clock: clock, expecting: expectations, redacting: recording.rules.hiding(values: values),
            place: CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// All requests that came, in order.
    public var requests: [TransportRequest] { stub.requests }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await stub.send(request)
    }
}

extension StubTransport.Expectation {
    fileprivate init(_ exchange: RecordedExchange, _ names: [HTTPField.Name], _ matchesBody: Bool) {
        let answer = StubAnswer(exchange)
        self.init(HTTPRequest.Method(exchange.request.method) ?? .get, exchange.request.url) { _ in answer }
        let recorded = HTTPFields(exchange.request.fields)
        // One that was not sent must not be sent now: "" stands for that.
        fields = HTTPFields(names.map { RecordedField(name: $0.rawName, value: recorded[$0] ?? "") })
        body = matchesBody ? ExpectedBody(recorded: exchange.request.body) : .any
        count = 0...1
    }
}

extension StubAnswer {
    fileprivate init(_ exchange: RecordedExchange) {
        let answer = exchange.answer
        guard let status = answer.status else {
            self = .failure(
                answer.failure?.error ?? TransportError(.connectionLost, message: "recorded without an answer"))
            return
        }
        var head = HTTPResponse(status: .init(code: status), headerFields: HTTPFields(answer.fields))
        let isWhole = answer.failure == nil && exchange.request.method != "HEAD" && status != 304
        // Secrets that were replaced, and an editor, change the length.
        if isWhole, head.headerFields[.contentLength] != nil {
            head.headerFields[.contentLength] = "\(answer.body.count)"
        }
        self.init(head: head, chunks: answer.body.isEmpty ? [] : [answer.body], failure: answer.failure?.error)
    }
}
