internal import Synchronization
internal import WharfChecks
public import WharfCore
internal import WharfFakes

/// A transport that answers from the file of a ``RecordingTransport``, byte for byte.
///
/// ```swift
/// let client = APIClient(environment: environment, transport: try ReplayTransport("\(folder)/sign-in.json"))
/// ```
///
/// A request gets the recorded answer to the same method, URL and body; JSON bodies are compared as
/// values. If there are several such answers, they are returned in turn. Secrets are replaced
/// before the comparison, so the test needs none. A request that is not in the file fails the
/// running test. It is answered with ``TransportError/Code/unexpectedRequest`` and its differences
/// from the nearest recorded request.
///
/// The age of a replayed answer follows from its `Date`. Below a cache, use a clock that shows the
/// time of the recording.
public final class ReplayTransport: Transport {
    private let stub: StubTransport

    /// Opens a recording.
    ///
    /// - Parameters:
    ///   - fields: fields of requests that are compared too, such as `Accept`.
    ///   - matchesBody: whether bodies are compared. Use false if they differ each time, by a
    ///     boundary or a time.
    ///   - values: the values that ``Redaction/hiding(values:)`` hid in the recording; the file
    ///     does not contain them.
    ///   - clock: stamps the answers.
    /// - Throws: ``RecordingError``, with line and column if the file is not a recording.
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

    /// All received requests, in order.
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
        // A field that was not recorded must be absent; "" expects that.
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
                answer.failure?.error
                    ?? TransportError(
                        .connectionLost,
                        message: "the request was recorded without a response; record it anew"))
            return
        }
        var head = HTTPResponse(status: .init(code: status), headerFields: HTTPFields(answer.fields))
        let isWhole = answer.failure == nil && exchange.request.method != "HEAD" && status != 304
        // Redaction and manual edits change the length.
        if isWhole, head.headerFields[.contentLength] != nil {
            head.headerFields[.contentLength] = "\(answer.body.count)"
        }
        self.init(head: head, chunks: answer.body.isEmpty ? [] : [answer.body], failure: answer.failure?.error)
    }
}
