internal import Synchronization
public import WharfCore
internal import WharfDependencies
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
/// A replayed answer has neither interim responses nor trailers.
///
/// The age of a replayed answer follows from its `Date`. Below a cache, use a clock that shows the
/// time of the recording.
public final class ReplayTransport: Transport {
    private let stub: StubTransport

    /// The settings of a replay: the comparison of requests, hidden values and clock.
    public struct Configuration: Sendable {
        /// The fields of requests that are compared too, such as `Accept`.
        public var fields: [HTTPField.Name]
        /// Whether bodies are compared.
        ///
        /// Use false if they differ each time, by a boundary or a time.
        public var matchesBody: Bool
        /// The values that ``Redaction/hiding(values:)`` hid in the recording.
        ///
        /// The file does not contain them.
        public var hiddenValues: [String]
        /// Whether the last recorded answer to a request is given again and again.
        ///
        /// Otherwise a request that is repeated more often than in the recording is unexpected.
        public var repeatsLast = false
        /// The clock that stamps the answers.
        public var clock: any WallClock

        /// Creates a configuration.
        public init(
            fields: [HTTPField.Name] = [], matchesBody: Bool = true, hiddenValues: [String] = [],
            clock: any WallClock = .system
        ) {
            self.fields = fields
            self.matchesBody = matchesBody
            self.hiddenValues = hiddenValues
            self.clock = clock
        }
    }

    /// Opens a recording.
    ///
    /// - Throws: ``RecordingError``, with line and column if the file is not a recording.
    public init(
        _ path: String, configuration: Configuration = Configuration(), fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) throws(RecordingError) {
        let recording = try RecordingFile(path: path).read()
        var expectations = recording.exchanges.map {
            StubTransport.Expectation($0, configuration.fields, configuration.matchesBody)
        }
        if configuration.repeatsLast {
            // An earlier answer is used up first, and no later one waits behind an endless one.
            var seen: Set<ReplayedRequest> = []
            for (index, exchange) in recording.exchanges.enumerated().reversed() {
                let isLast = seen.insert(ReplayedRequest(exchange.request, configuration)).inserted
                if isLast { expectations[index].count = 0...Int.max }
            }
        }
        stub = StubTransport(
            clock: configuration.clock, expecting: expectations,
            redacting: recording.rules.hiding(values: configuration.hiddenValues),
            place: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// All received requests, in order.
    public var requests: [TransportRequest] { stub.requests }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await stub.send(request)
    }
}

/// The parts of a recorded request by which a replay finds its answer.
private struct ReplayedRequest: Hashable {
    let method: String
    let url: String
    let body: [UInt8]
    let fields: [String?]

    init(_ request: RecordedRequest, _ configuration: ReplayTransport.Configuration) {
        method = request.method
        url = request.url
        body = configuration.matchesBody ? request.body : []
        let recorded = HTTPFields(request.fields)
        fields = configuration.fields.map { recorded[$0] }
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
        // A test may leave out recorded requests, but not repeat one more often than it was
        // recorded.
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
        // They are not recorded.
        trailers = nil
    }
}
