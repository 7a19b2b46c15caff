package import WharfCore

#if canImport(Darwin)
internal import WharfURLSession
#else
internal import WharfCurl
#endif

/// The transport that an app has on this platform by default.
///
/// - Parameters:
///   - clock: measures timeouts.
///   - wallClock: stamps the answers.
///   - connections: the limit of connections to one host. URLSession has its own limit.
package func liveTransport(
    clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system, connections: Int = 16
) -> any Transport {
    #if canImport(Darwin)
    URLSessionTransport(clock: clock, wallClock: wallClock)
    #else
    CurlTransport(connectionsPerHost: connections, clock: clock, wallClock: wallClock)
    #endif
}
