public import WharfCore

/// A transport that decodes the content codings of another transport's responses.
///
/// Put it above a custom transport that delivers bodies as they were sent:
///
/// ```swift
/// let transport = ContentDecodingTransport(MyTransport())
/// ```
///
/// Above a cache it makes the cache store encoded bodies, which are smaller. The default transport
/// on Linux delivers them so, because the request has `Accept-Encoding` then.
///
/// It requests gzip and deflate, and also brotli and zstd if the system has `libbrotlidec.so.1` and
/// `libzstd.so.1`. A request with its own `Accept-Encoding` is passed on unchanged, and so is its
/// response.
///
/// - **Head.** It describes the decoded bytes: `Content-Encoding` and `Content-Length` of the
///   encoded body are removed. They stay if nothing is decoded: for HEAD, 204, 304, 206, and an
///   unknown coding.
/// - **End.** A body that ends before its coding ends throws
///   ``WharfCore/TransportError/Code/connectionLost``, even if its framing is complete. Bytes that
///   break the coding's rules throw ``WharfCore/TransportError/Code/invalidResponse``.
/// - **Memory.** Decoded pieces have at most 64 KB and are made on demand. So `collect(upTo:)`
///   stops a small body that decodes to a huge one ("zip bomb") at its limit.
public struct ContentDecodingTransport: Transport {
    private let upstream: any Transport

    /// Creates the transport.
    ///
    /// - Parameter upstream: the transport that delivers encoded bodies.
    public init(_ upstream: any Transport) { self.upstream = upstream }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        let decoding = ContentDecoding.prepare(&request.head)
        return try decoding.apply(to: try await upstream.send(request), for: request.head.method)
    }
}
