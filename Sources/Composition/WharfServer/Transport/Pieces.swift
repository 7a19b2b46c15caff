#if Server
internal import AsyncHTTPClient
internal import NIOCore
internal import WharfCore

/// The rest of a body. Each piece that is taken lets the connection read on.
///
/// Unchecked because the iterator is not sendable. A body has one reader at a time
/// (``BodyStream/Producer/next()``), and the task of one wait ends before the next one begins.
final class Pieces: @unchecked Sendable {
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private var mustBeGzip: Bool

    /// - Parameter mustBeGzip: whether content that does not begin as gzip does is an error.
    init(_ body: HTTPClientResponse.Body, mustBeGzip: Bool) {
        self.iterator = body.makeAsyncIterator()
        self.mustBeGzip = mustBeGzip
    }

    func next() async throws -> ByteBuffer? {
        let buffer = try await iterator.next()
        if mustBeGzip, let buffer, buffer.readableBytes > 0 {
            // Only the first byte tells: encoded data may contain any bytes later.
            mustBeGzip = false
            try buffer.checkThatItIsEncoded()
        }
        return buffer
    }
}
#endif
