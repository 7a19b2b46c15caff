#if TestServer
public import WharfCore
internal import WharfPrimitives

/// One request as it came to a ``TestServer``.
public struct TestRequest: Sendable {
    /// Its place in the server's log: 1 for the first.
    public internal(set) var number: Int
    /// The connection that it came by, counted from 1, so that a test can tell reuse from a new
    /// connection.
    public internal(set) var connection: Int
    public internal(set) var method: HTTPRequest.Method
    /// The path as it was sent, percent-encoded, without the query.
    public internal(set) var path: String
    /// The query as it was sent, without the question mark; nil when there was none, which differs
    /// from an empty one.
    public internal(set) var query: String?
    /// All fields in the order they came, repeated ones too.
    public internal(set) var fields: HTTPFields
    public internal(set) var body: [UInt8]
    /// The fields that came behind a chunked body, in their order.
    public internal(set) var trailerFields: HTTPFields = [:]
    /// What the `:name` segments of the route's pattern matched, percent-decoded.
    public internal(set) var parameters: [String: String] = [:]

    /// Path and query as they were sent.
    public var target: String { query.map { "\(path)?\($0)" } ?? path }

    /// The body as text; bytes that are not UTF-8 are replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The query's pairs in order, percent-decoded, with `+` read as a space.
    public var queryItems: [(name: String, value: String)] {
        query.map { PercentDecoding.items($0[...]) } ?? []
    }
}
#endif
