public import WharfCore

/// Takes content codings off the answers of another transport.
///
/// Put it above a transport of your own that delivers bodies as they came over the wire:
///
/// ```swift
/// let transport = ContentDecodingTransport(MyTransport())
/// ```
///
/// It asks for gzip and deflate, and for brotli and zstd where the system has `libbrotlidec.so.1`
/// and `libzstd.so.1`. A request with an `Accept-Encoding` of its own is left alone, and so is its
/// answer.
///
/// - **Head.** It describes the bytes that are delivered: `Content-Encoding` and `Content-Length`
///   of the encoded body are dropped. They stay where nothing is decoded: HEAD, 204, 304, 206, and
///   a coding that is not known.
/// - **End.** A body that ends in the middle of its coding throws
///   ``WharfCore/TransportError/Code/connectionLost``, also where its framing is whole. What is not
///   of the coding throws ``WharfCore/TransportError/Code/invalidResponse``.
/// - **Memory.** Decoded pieces have at most 64 KB and are made when the reader asks, so
///   `collect(upTo:)` ends a small body that decodes to a huge one ("zip bomb") at its limit.
public struct ContentDecodingTransport: Transport {
    private let upstream: any Transport

    /// - Parameter upstream: delivers bodies as they are.
    public init(_ upstream: any Transport) { self.upstream = upstream }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        let decoding = ContentDecoding.prepare(&request.head)
        return try decoding.apply(to: try await upstream.send(request), for: request.head.method)
    }
}
