#if Server
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import WharfCore

// A client does not show its configuration, so a shared client is judged by its responses.

extension HTTPClientResponse {
    func checkThatNothingWasFollowed() throws(TransportError) {
        guard history.count > 1 else { return }
        throw TransportError(
            .invalidResponse,
            message: "the client followed a redirect by itself; make it with "
                + "HTTPClient.Configuration.keepingTransportLaws")
    }

    /// Whether the body is one in gzip, from its first byte: the last coding is the outermost.
    var isWholeGzip: Bool {
        status != .partialContent && headers[canonicalForm: "Content-Encoding"].last?.lowercased() == "gzip"
    }
}

extension ByteBuffer {
    /// Checks the first piece of a body that was sent with gzip: encoded data begins with this byte
    /// (RFC 1952 §2.3.1).
    ///
    /// A client that decodes by itself leaves `Content-Encoding`, so a cache would store a head
    /// that contradicts its body.
    func checkThatItIsEncoded() throws(TransportError) {
        guard readableBytesView.first != 0x1f else { return }
        throw TransportError(
            .invalidResponse,
            message: "a body with Content-Encoding: gzip is not gzip; correct the server, or, if the client decodes by "
                + "itself, make it with HTTPClient.Configuration.keepingTransportLaws")
    }
}
#endif
