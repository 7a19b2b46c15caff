/// The limits of the memory that one request may take.
///
/// Without them a client could exhaust the memory of the process. It would suffice that a head, a
/// chunk-size line or the trailers never end.
struct RequestLimits: Sendable {
    /// The limit in bytes of the request line with the fields, and separately of the trailers.
    var fieldBytes = 1 << 16
    /// The limit in bytes of a chunk's size with its extensions.
    var chunkLineBytes = 1 << 12
    /// The limit in bytes of a body, without its chunk framing.
    var bodyBytes = 1 << 30
}
