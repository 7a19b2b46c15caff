#if AsyncHTTPClient
public import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTPCompression

extension HTTPClient.Configuration {
    /// The same, fit for a client under a ``AsyncHTTPClientTransport``: redirects are not followed,
    /// since Wharf does that above its cache; content is decoded; a connection that can't be made
    /// is not tried again in silence; and answers that the client takes wrongly are put right.
    ///
    /// ```swift
    /// let client = HTTPClient(configuration: HTTPClient.Configuration(proxy: proxy).keepingTransportLaws)
    /// let transport = AsyncHTTPClientTransport(client: client)
    /// ```
    ///
    /// A limit for decoding that is set already stays; without one there is none.
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
