internal import Synchronization
public import WharfCore
internal import WharfDependencies
internal import WharfFakes
internal import WharfJSON

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
        if configuration.repeatsLast { Self.repeatLast(&expectations, recording.exchanges.map(\.request)) }
        stub = StubTransport(
            clock: configuration.clock, expecting: expectations,
            redacting: recording.rules.hiding(values: configuration.hiddenValues),
            place: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Makes the last of the answers to equal requests endless.
    ///
    /// Requests are compared as in the replay itself. By a stricter comparison an earlier answer
    /// would be endless too, and the later one to an equal request would never be given.
    private static func repeatLast(_ expectations: inout [StubTransport.Expectation], _ requests: [RecordedRequest]) {
        var later: [RoughRequest: [SeenRequest]] = [:]
        for (index, request) in requests.enumerated().reversed() {
            let seen = SeenRequest(request)
            let rough = RoughRequest(seen, expectations[index].body)
            guard !later[rough, default: []].contains(where: { RequestDiff(expectations[index], $0).isEmpty }) else {
                continue
            }
            expectations[index].count = 0...Int.max
            later[rough, default: []].append(seen)
        }
    }

    /// All received requests, in order.
    public var requests: [TransportRequest] { stub.requests }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await stub.send(request)
    }
}

/// The parts of a recorded request that are alike in all requests that equal it.
///
/// Without them each request of a long recording would be compared with each.
private struct RoughRequest: Hashable {
    let method: HTTPRequest.Method
    let path: String
    let query: [RequestTarget.Item]
    /// The texts of a body of JSON, in an order of their own.
    var words: [String] = []
    var bytes: [UInt8] = []

    init(_ request: SeenRequest, _ body: ExpectedBody) {
        method = request.method
        path = request.target.path
        query = request.target.query
        switch body {
        case .json(let value): words = Self.words(of: value).sorted()
        case .bytes(let expected): bytes = expected
        case .any, .invalid: break
        }
    }

    private static func words(of value: JSONValue) -> [String] {
        switch value.content {
        case .object(let members): members.flatMap { [$0.key] + words(of: $0.value) }
        case .array(let values): values.flatMap(words)
        case .string(let text): [text]
        default: []
        }
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
