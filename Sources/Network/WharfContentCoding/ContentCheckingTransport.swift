public import WharfCore

/// A transport that breaks off the bodies whose content coding is broken.
///
/// Put it below a cache that stores encoded bodies. Without it such a cache would keep a body that
/// no reader can decode, in place of an earlier one:
///
/// ```swift
/// let caching = CachingTransport(ContentCheckingTransport(client), store: store, onIncident: log)
/// ```
///
/// Heads and bytes are passed on as they are. The body is decoded as well, and the result is
/// discarded. If a body has several codings, the last one applied is checked.
///
/// - **Failure.** A body that breaks its coding's rules throws
///   ``WharfCore/TransportError/Code/invalidResponse``. So does one that ends before its coding.
///   Its reader never gets the last announced byte.
/// - **Unchecked** are bodies without a coding, with an unknown one or with more than five, and
///   parts (206). A body that is completed from a stored part is not checked.
/// - **Cost.** The processor time of decoding, for each body that is not from the cache. Memory is
///   one decoded piece of 64 KB.
public struct ContentCheckingTransport: Transport {
    private let upstream: any Transport

    /// Creates the transport.
    ///
    /// - Parameter upstream: the transport that delivers encoded bodies. It delivers them so if the
    ///   request has `Accept-Encoding`.
    public init(_ upstream: any Transport) { self.upstream = upstream }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var response = try await upstream.send(request)
        // More codings than are decoded are an error of the reader that decodes them.
        let codings = try? ContentDecoding.codings(of: response.head, for: request.head.method)
        guard let outermost = codings?.last else { return response }
        response.body = BodyStream(
            CheckedBody(response.body, of: outermost), expectedLength: response.body.expectedLength)
        return response
    }
}
