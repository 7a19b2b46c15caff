#if os(Linux)
import WharfCore
import WharfCurl

extension CurlTransport {
    /// A transport with a long connection timeout. The usual one may be too short while all tests
    /// run at the same time.
    static func patient(
        connectionsPerHost: Int = 16, proxy: Proxy = .direct, pins: PublicKeyPins = .none,
        clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system
    ) -> CurlTransport {
        CurlTransport(
            connectionsPerHost: connectionsPerHost, connectTimeout: .seconds(300), proxy: proxy, pins: pins,
            clock: clock,
            wallClock: wallClock)
    }
}

/// Runs `body` with the transport, and closes it at the end.
func withTransport<Result>(
    _ transport: CurlTransport = .patient(), _ body: (CurlTransport) async throws -> Result
) async throws -> Result {
    defer { transport.close() }
    return try await body(transport)
}
#endif
