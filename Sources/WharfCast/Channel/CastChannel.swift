#if Cast
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

enum CastChannel {
    /// Receivers sign their certificates themselves, so there is nobody to check them by.
    private static let context = Result {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        // Not read, then.
        configuration.trustRoots = .certificates([])
        return try NIOSSLContext(configuration: configuration)
    }

    /// - Parameters:
    ///   - resolver: nil for the system's.
    ///   - link: called on the loop, once there is a connection.
    static func open(
        host: String, port: Int, on loop: any EventLoop, resolver: (any Resolver & Sendable)?,
        link: @escaping @Sendable () -> CastLink
    ) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: loop)
            .resolver(resolver)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try prepare(channel) } }
            .connect(host: host, port: port)
            // A host of several addresses is tried at several channels, of which one remains.
            .flatMapThrowing { channel in
                try channel.pipeline.syncOperations.addHandler(link())
                return channel
            }
    }

    static func prepare(_ channel: any Channel) throws {
        let tls = try NIOSSLClientHandler(context: context.get(), serverHostname: nil)
        // Who asks, and does not read what it is answered, is not read either.
        try channel.pipeline.syncOperations.addHandlers([BackPressureHandler(), tls])
    }
}
#endif
