#if Server
public import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTPCompression

extension HTTPClient.Configuration {
    /// The same configuration, changed for a client under an ``AsyncHTTPClientTransport``.
    ///
    /// - Redirects are not followed, because Wharf does that above its cache.
    /// - Content is decoded.
    /// - A failed connection attempt is not retried silently.
    /// - Responses that the client misreads are corrected.
    ///
    /// ```swift
    /// let client = HTTPClient(configuration: HTTPClient.Configuration(proxy: proxy).keepingTransportLaws)
    /// let transport = AsyncHTTPClientTransport(client: client)
    /// ```
    ///
    /// An existing limit for decoding stays; otherwise there is no limit.
    public var keepingTransportLaws: HTTPClient.Configuration {
        var configuration = self
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        if case .disabled = decompression { configuration.decompression = .enabled(limit: .none) }
        configuration.http1_1ConnectionDebugInitializer = Self.both(
            HeadBytes.initialize, Self.both(AnswerCheck.initialize, http1_1ConnectionDebugInitializer))
        configuration.http2StreamChannelDebugInitializer = Self.both(
            AnswerCheck.initialize, http2StreamChannelDebugInitializer)
        return configuration
    }

    typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

    static func both(_ first: @escaping Initializer, _ next: Initializer?) -> Initializer {
        guard let next else { return first }
        return { channel in first(channel).flatMap { next(channel) } }
    }
}
#endif
