import Synchronization
import WharfCore

/// Reads the request's body, as a network does, and accepts the request or answers 401.
struct ReadingTransport: Transport {
    let accepts: @Sendable (TransportRequest) -> Bool

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if case .stream(let make, _) = request.body { _ = try await make().collect() }
        return TransportResponse(
            head: HTTPResponse(status: accepts(request) ? .ok : .unauthorized), body: .empty,
            provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 0)))
    }
}

/// A holder for a transport that is set later.
final class Line: Sendable {
    private let held = Mutex<(any Transport)?>(nil)

    var transport: (any Transport)? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
