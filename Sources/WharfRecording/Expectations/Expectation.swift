public import WharfCore
public import WharfFakes
internal import WharfJSON

extension StubTransport {
    /// A request that is to come, how often, and what it is answered with.
    ///
    /// ```swift
    /// .get("/users", query: ["page": "2"], .ok("[]")).field(.accept, "application/json").times(...2)
    /// ```
    ///
    /// It comes once, unless ``times(_:)-(Int)`` says otherwise. What it does not name, it does not
    /// look at, with one exception: a query is expected exactly, in any order of its items.
    public struct Expectation: Sendable {
        let method: HTTPRequest.Method
        let target: RequestTarget
        var fields: HTTPFields = [:]
        var body: ExpectedBody = .any
        var count: ClosedRange<Int> = 1...1
        let answer: Handler

        /// - Parameters:
        ///   - target: a path as it goes on the wire, percent-encoded, or a whole URL, where scheme
        ///     and host count too. A query behind it is read as such.
        ///   - query: further items of the query, not encoded.
        ///   - answer: made anew each time.
        public init(
            _ method: HTTPRequest.Method, _ target: String, query: KeyValuePairs<String, String> = [:],
            answer: @escaping Handler
        ) {
            self.method = method
            self.target = RequestTarget(target, adding: query.map { ($0.key, $0.value) })
            self.answer = answer
        }

        /// With this value of the field; all values of one name, joined by commas, where it comes
        /// several times. "" is without it.
        public func field(_ name: HTTPField.Name, _ value: String) -> Self { with { $0.fields[name] = value } }

        /// With exactly this text.
        public func body(_ text: String) -> Self { body(Array(text.utf8)) }

        /// With exactly these bytes.
        public func body(_ bytes: [UInt8]) -> Self { with { $0.body = .bytes(bytes) } }

        /// With this JSON, however it is laid out: the order of members does not count, and `1.0`
        /// is `1`.
        public func json(_ text: String) -> Self { with { $0.body = ExpectedBody(json: text) } }

        /// Exactly so often; never, when it is 0.
        public func times(_ count: Int) -> Self { with { $0.count = count...count } }

        /// As often as that: `times(...2)` is at most twice, and `times(0...)` any number of times.
        public func times(_ counts: some RangeExpression<Int>) -> Self {
            let range = counts.relative(to: 0..<Int.max)
            return with { $0.count = range.lowerBound...max(range.lowerBound, range.upperBound - 1) }
        }

        private func with(_ change: (inout Self) -> Void) -> Self {
            var copy = self
            change(&copy)
            return copy
        }
    }
}

extension StubTransport.Expectation {
    public static func get(
        _ target: String, query: KeyValuePairs<String, String> = [:], _ answer: StubAnswer
    ) -> Self {
        Self(.get, target, query: query) { _ in answer }
    }

    public static func post(
        _ target: String, query: KeyValuePairs<String, String> = [:], _ answer: StubAnswer
    ) -> Self {
        Self(.post, target, query: query) { _ in answer }
    }

    public static func put(
        _ target: String, query: KeyValuePairs<String, String> = [:], _ answer: StubAnswer
    ) -> Self {
        Self(.put, target, query: query) { _ in answer }
    }

    public static func patch(
        _ target: String, query: KeyValuePairs<String, String> = [:], _ answer: StubAnswer
    ) -> Self {
        Self(.patch, target, query: query) { _ in answer }
    }

    public static func delete(
        _ target: String, query: KeyValuePairs<String, String> = [:], _ answer: StubAnswer
    ) -> Self {
        Self(.delete, target, query: query) { _ in answer }
    }
}

/// What is asked of a request's body.
enum ExpectedBody: Sendable {
    case any
    case bytes([UInt8])
    case json(JSONValue)
    /// The expectation is wrong itself, so nothing is as it says.
    case invalid(String)

    /// JSON as such, which encoders lay out as they like.
    init(recorded bytes: [UInt8]) {
        if let value = JSONValue(objectOrArray: bytes) { self = .json(value) } else { self = .bytes(bytes) }
    }

    init(json text: String) {
        do throws(JSONError) {
            self = .json(try JSON.decode(from: text))
        } catch {
            self = .invalid("the JSON of the expectation is none: \(error.message)")
        }
    }
}
