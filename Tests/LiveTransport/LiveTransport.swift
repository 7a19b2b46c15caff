package import WharfCore

#if canImport(Darwin)
internal import WharfURLSession
#else
internal import WharfCurl
#endif

/// The transport that an app has on this platform when it names none.
///
/// - Parameters:
///   - clock: measures timeouts.
///   - wallClock: stamps the answers.
///   - connections: to one host at one time. URLSession has a limit of its own.
package func liveTransport(
    clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system, connections: Int = 16
) -> any Transport {
    #if canImport(Darwin)
    URLSessionTransport(clock: clock, wallClock: wallClock)
    #else
    CurlTransport(connectionsPerHost: connections, clock: clock, wallClock: wallClock)
    #endif
}
