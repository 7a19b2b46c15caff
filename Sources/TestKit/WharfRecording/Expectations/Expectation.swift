public import WharfCore
public import WharfFakes
internal import WharfJSON

extension StubTransport {
    /// An expected request, with its number of times and its answer.
    ///
    /// ```swift
    /// .get("/users", query: ["page": "2"], .ok("[]")).field(.accept, "application/json").times(...2)
    /// ```
    ///
    /// It is expected once, unless ``times(_:)-(Int)`` says otherwise. Properties that it does not
    /// name are not compared, with one exception: the query must be equal, in any order of its
    /// items.
    public struct Expectation: Sendable {
        let method: HTTPRequest.Method
        let target: RequestTarget
        var fields: HTTPFields = [:]
        var body: ExpectedBody = .any
        var count: ClosedRange<Int> = 1...1
        let answer: Handler

        /// Creates an expectation.
        ///
        /// - Parameters:
        ///   - target: a percent-encoded path, or a whole URL, whose scheme and host are compared
        ///     too. It may have a query.
        ///   - query: further items of the query, not encoded.
        ///   - answer: makes the answer, once per request.
        public init(
            _ method: HTTPRequest.Method, _ target: String, query: KeyValuePairs<String, String> = [:],
            answer: @escaping Handler
        ) {
            self.method = method
            self.target = RequestTarget(target, adding: query.map { ($0.key, $0.value) })
            self.answer = answer
        }

        /// Returns the expectation with a value for a field.
        ///
        /// If the field occurs several times, that is all values joined by commas. An empty value
        /// expects the field's absence.
        public func field(_ name: HTTPField.Name, _ value: String) -> Self { with { $0.fields[name] = value } }

        /// Returns the expectation with exactly this text as the body.
        public func body(_ text: String) -> Self { body(Array(text.utf8)) }

        /// Returns the expectation with exactly these bytes as the body.
        public func body(_ bytes: [UInt8]) -> Self { with { $0.body = .bytes(bytes) } }

        /// Returns the expectation with a JSON body, in any layout.
        ///
        /// The order of members does not count, and `1.0` equals `1`.
        public func json(_ text: String) -> Self { with { $0.body = ExpectedBody(json: text) } }

        /// Returns the expectation for exactly this number of requests; 0 for none.
        public func times(_ count: Int) -> Self { with { $0.count = count...count } }

        /// Returns the expectation for a range of times.
        ///
        /// `times(...2)` is at most twice, and `times(0...)` any number of times.
        public func times(_ counts: some RangeExpression<Int>) -> Self {
            // Half-open, so its last number is one less. An empty range means its lower bound
            // alone.
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
    /// Returns the expectation of a GET request.
    public static func get(
        _ target: String, query: KeyValuePairs<String, String> = [:], _ answer: StubAnswer
    ) -> Self {
        Self(.get, target, query: query) { _ in answer }
    }

    /// Returns the expectation of a POST request.
    public static func post(
        _ target: String, query: KeyValuePairs<String, String> = [:], _ answer: StubAnswer
    ) -> Self {
        Self(.post, target, query: query) { _ in answer }
    }

    /// Returns the expectation of a PUT request.
    public static func put(
        _ target: String, query: KeyValuePairs<String, String> = [:], _ answer: StubAnswer
    ) -> Self {
        Self(.put, target, query: query) { _ in answer }
    }

    /// Returns the expectation of a PATCH request.
    public static func patch(
        _ target: String, query: KeyValuePairs<String, String> = [:], _ answer: StubAnswer
    ) -> Self {
        Self(.patch, target, query: query) { _ in answer }
    }

    /// Returns the expectation of a DELETE request.
    public static func delete(
        _ target: String, query: KeyValuePairs<String, String> = [:], _ answer: StubAnswer
    ) -> Self {
        Self(.delete, target, query: query) { _ in answer }
    }
}

/// The expected body of a request.
enum ExpectedBody: Sendable {
    case any
    case bytes([UInt8])
    case json(JSONValue)
    /// The expectation itself is invalid, so no body matches it.
    case invalid(String)

    /// JSON is compared as values, because encoders choose its layout.
    init(recorded bytes: [UInt8]) {
        if let value = JSONValue(objectOrArray: bytes) { self = .json(value) } else { self = .bytes(bytes) }
    }

    init(json text: String) {
        do throws(JSONError) {
            self = .json(try JSON.decode(from: text))
        } catch {
            self = .invalid("the JSON of the expectation is invalid: \(error.message)")
        }
    }
}
