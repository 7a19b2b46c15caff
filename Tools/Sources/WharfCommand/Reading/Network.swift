import Wharf
import WharfServer

/// The transport of one run: AsyncHTTPClient for http and https, the disk for `file:` URLs.
///
/// `wharf serve` runs for hours, in front of any service. So it uses the transport for servers,
/// with back-pressure in both directions.
struct Network: Transport {
    private let http: AsyncHTTPClientTransport
    private let files: FileTransport

    /// - Parameter clock: stamps the answers.
    init(clock: any WallClock) {
        http = AsyncHTTPClientTransport(wallClock: clock)
        files = FileTransport(wallClock: clock)
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if request.head.scheme?.lowercased() == "file" { return try await files.send(request) }
        return try await http.send(request)
    }

    /// Cancels all requests, and returns when the connections are closed.
    func close() async { await http.close() }
}
