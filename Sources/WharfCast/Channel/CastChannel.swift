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

    /// - Parameter link: called on the loop.
    static func open(
        host: String, port: Int, on loop: any EventLoop, link: @escaping @Sendable () -> CastLink
    ) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: loop)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = try NIOSSLClientHandler(context: context.get(), serverHostname: nil)
                    try channel.pipeline.syncOperations.addHandlers([tls, link()])
                }
            }
            .connect(host: host, port: port)
    }
}
#endif
