public import WharfCore
internal import WharfPrimitives

/// A request that a ``TestServer`` received.
public struct TestRequest: Sendable {
    /// The number of the request in the server's log, counted from 1.
    public internal(set) var number: Int
    /// The number of the connection, counted from 1. A test can distinguish a reused from a new
    /// connection.
    public internal(set) var connection: Int
    /// The method.
    public internal(set) var method: HTTPRequest.Method
    /// The path as sent, percent-encoded, without the query.
    public internal(set) var path: String
    /// The query as sent, without the question mark.
    ///
    /// It is nil if there was none, which differs from an empty one.
    public internal(set) var query: String?
    /// All fields in the order of their arrival, including repeated ones.
    public internal(set) var fields: HTTPFields
    /// The body without its chunk framing.
    public internal(set) var body: [UInt8]
    /// The trailer fields of a chunked body, in order.
    public internal(set) var trailerFields: HTTPFields = [:]
    /// The percent-decoded values of the `:name` segments in the route's pattern.
    public internal(set) var parameters: [String: String] = [:]

    /// The path and the query as sent.
    public var target: String { query.map { "\(path)?\($0)" } ?? path }

    /// The body as text. Bytes that are not UTF-8 are replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The pairs of the query in order, percent-decoded, with `+` as a space.
    public var queryItems: [(name: String, value: String)] {
        query.map { PercentDecoding.items($0[...]) } ?? []
    }
}
