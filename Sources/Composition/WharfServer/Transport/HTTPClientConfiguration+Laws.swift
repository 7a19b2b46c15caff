#if Server
public import AsyncHTTPClient
internal import NIOCore

extension HTTPClient.Configuration {
    /// The same configuration, changed for a client under an ``AsyncHTTPClientTransport``.
    ///
    /// - Redirects are not followed, because Wharf does that above its cache.
    /// - Bodies are not decoded, because the transport does that, or a reader above a cache.
    /// - A failed connection attempt is not retried silently.
    /// - Responses that the client misreads are corrected.
    ///
    /// ```swift
    /// let client = HTTPClient(configuration: HTTPClient.Configuration(proxy: proxy).keepingTransportLaws)
    /// let transport = AsyncHTTPClientTransport(client: client)
    /// ```
    public var keepingTransportLaws: HTTPClient.Configuration {
        var configuration = self
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.decompression = .disabled
        configuration.http1_1ConnectionDebugInitializer = Self.both(
            HeadBytes.initialize, Self.both(AnswerCheck.initialize(connection:), http1_1ConnectionDebugInitializer))
        configuration.http2StreamChannelDebugInitializer = Self.both(
            AnswerCheck.initialize(stream:), http2StreamChannelDebugInitializer)
        return configuration
    }

    typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

    static func both(_ first: @escaping Initializer, _ next: Initializer?) -> Initializer {
        guard let next else { return first }
        return { channel in first(channel).flatMap { next(channel) } }
    }
}
#endif
