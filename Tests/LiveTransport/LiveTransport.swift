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
package func liveTransport(
    clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system
) -> any Transport {
    #if canImport(Darwin)
    URLSessionTransport(clock: clock, wallClock: wallClock)
    #else
    CurlTransport(clock: clock, wallClock: wallClock)
    #endif
}
