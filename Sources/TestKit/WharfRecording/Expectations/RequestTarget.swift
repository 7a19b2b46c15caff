internal import WharfCore
internal import WharfFakes
internal import WharfPrimitives

/// The target of a request in comparable parts. The order of query items is ignored.
struct RequestTarget: Sendable {
    struct Item: Hashable, Comparable {
        let name: String
        let value: String

        static func < (a: Item, b: Item) -> Bool { (a.name, a.value) < (b.name, b.value) }
    }

    /// Scheme and host: `https://api.example.com`; nil for an expectation with only a path.
    let origin: String?
    let path: String
    let query: [Item]

    /// - Parameter text: a path or a URL, with or without a query.
    init(_ text: String, adding items: [(name: String, value: String)] = []) {
        var rest = text[...]
        var query = items
        // The query first, as it may contain "://" itself.
        if let mark = rest.firstIndex(of: "?") {
            query += PercentDecoding.items(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let authority = rest.firstRange(of: "://")?.upperBound {
            let end = rest[authority...].firstIndex(of: "/") ?? rest.endIndex
            origin = rest[..<end].lowercased()
            rest = rest[end...]
        } else {
            origin = nil
        }
        // An empty path and "/" are the same (RFC 9110 §4.2.3).
        path = rest.isEmpty ? "/" : String(rest)
        self.query = query.map { Item(name: $0.name, value: $0.value) }.sorted()
    }
}

/// A received request with its body.
struct SeenRequest: Sendable {
    let method: HTTPRequest.Method
    let target: RequestTarget
    let fields: HTTPFields
    let body: [UInt8]
    /// Method and URL, for messages.
    let title: String

    /// - Parameter rules: are applied to it first; nil for none.
    init(_ request: TransportRequest, redacting rules: Redaction?) async throws(TransportError) {
        var seen = RecordedRequest(request.head, body: try await request.body.collected())
        if let rules {
            var redactor = Redactor(rules)
            seen = redactor.redact(seen)
            seen = redactor.clearing(seen)
        }
        self.init(seen)
    }

    init(_ recorded: RecordedRequest) {
        // An invalid method is reported when the file is read.
        method = HTTPRequest.Method(recorded.method) ?? .get
        target = RequestTarget(recorded.url)
        fields = HTTPFields(recorded.fields)
        body = recorded.body
        title = "\(recorded.method) \(recorded.url)"
    }
}
