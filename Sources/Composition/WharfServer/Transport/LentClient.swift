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

    var isGzipped: Bool { headers[canonicalForm: "Content-Encoding"].first?.lowercased() == "gzip" }
}

extension ByteBuffer {
    /// Checks the first piece of a body that was sent with gzip: encoded data begins with these
    /// bytes (RFC 1952 §2.3.1).
    func checkThatItWasDecoded() throws(TransportError) {
        guard readableBytesView.starts(with: [0x1f, 0x8b, 0x08]) else { return }
        throw TransportError(
            .invalidResponse,
            message: "the client did not decode a body of gzip; make it with "
                + "HTTPClient.Configuration.keepingTransportLaws")
    }
}
#endif
