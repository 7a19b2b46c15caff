#if TestServer
/// Bounds of what one request may keep in memory.
///
/// Without them a client that never ends its head, a chunk-size line or its trailers takes all of
/// the memory of the process.
struct RequestLimits: Sendable {
    /// Bytes of the request line and the fields; and, apart from them, of the trailers.
    var fieldBytes = 1 << 16
    /// Bytes of a chunk's size with its extensions.
    var chunkLineBytes = 1 << 12
    /// Bytes of a body, its chunk framing left out.
    var bodyBytes = 1 << 30
}
#endif
