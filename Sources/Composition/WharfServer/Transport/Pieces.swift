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
    private var mustBeDecoded: Bool

    /// - Parameter mustBeDecoded: whether content that is still compressed is an error.
    init(_ body: HTTPClientResponse.Body, mustBeDecoded: Bool) {
        self.iterator = body.makeAsyncIterator()
        self.mustBeDecoded = mustBeDecoded
    }

    func next() async throws -> ByteBuffer? {
        let buffer = try await iterator.next()
        if mustBeDecoded, let buffer, buffer.readableBytes > 0 {
            mustBeDecoded = false
            try buffer.checkThatItWasDecoded()
        }
        return buffer
    }
}
#endif
