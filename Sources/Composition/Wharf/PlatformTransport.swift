public import WharfCore
internal import WharfHTTP

#if canImport(Darwin)
internal import WharfURLSession
#else
internal import WharfCurl
#endif

/// The default transport of a stack.
///
/// - Apple platforms: `URLSessionTransport`.
/// - Linux: `CurlTransport`, on the system's libcurl.
/// - `file:` URLs, on each platform: ``/WharfHTTP/FileTransport``.
///
/// An app that composes its own client can use it too, without an `#if`.
///
/// ```swift
/// let client = APIClient(environment: environment, transport: RedirectingTransport(PlatformTransport()))
/// ```
public final class PlatformTransport: Transport {
    #if canImport(Darwin)
    private typealias Network = URLSessionTransport
    #else
    private typealias Network = CurlTransport
    #endif

    private let network: Network
    private let files: FileTransport

    /// A transport with connections of its own.
    ///
    /// - Parameters:
    ///   - pins: the public keys that are pinned, by host.
    ///   - clock: measures timeouts.
    ///   - wallClock: the time of the responses.
    public init(
        pins: PublicKeyPins = .none, clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system
    ) {
        network = Network(pins: pins, clock: clock, wallClock: wallClock)
        files = FileTransport(wallClock: wallClock)
    }

    /// Cancels the requests in flight, and all later ones over the network.
    public func close() { network.close() }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if request.head.scheme?.lowercased() == "file" { return try await files.send(request) }
        return try await network.send(request)
    }
}
