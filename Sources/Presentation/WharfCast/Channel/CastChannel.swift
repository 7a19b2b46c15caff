#if Cast
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

enum CastChannel {
    /// The TLS context, which does not verify certificates.
    ///
    /// Receivers have self-signed certificates without a common authority.
    private static let context = Result {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        // Skips loading the system's roots, which would not be used.
        configuration.trustRoots = .certificates([])
        return try NIOSSLContext(configuration: configuration)
    }

    /// Opens a connection with TLS.
    ///
    /// - Parameters:
    ///   - resolver: resolves the host; nil for the system's resolver.
    ///   - link: called on the loop, once the connection is established.
    static func open(
        host: String, port: Int, on loop: any EventLoop, resolver: (any Resolver & Sendable)?,
        link: @escaping @Sendable () -> CastConnection
    ) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: loop)
            .resolver(resolver)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try prepare(channel) } }
            .connect(host: host, port: port)
            // A host with several addresses is tried with several channels, of which only one
            // remains.
            .flatMapThrowing { channel in
                try channel.pipeline.syncOperations.addHandler(link())
                return channel
            }
    }

    static func prepare(_ channel: any Channel) throws {
        let tls = try NIOSSLClientHandler(context: context.get(), serverHostname: nil)
        // Back-pressure: a peer that does not read its answers is not read either.
        try channel.pipeline.syncOperations.addHandlers([BackPressureHandler(), tls])
    }
}
#endif
