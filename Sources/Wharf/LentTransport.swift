internal import Synchronization
internal import WharfCore

/// A transport that an app has made and goes on to use: a stack sends nothing by it after its own
/// end.
final class LentTransport: Transport {
    private let base: any Transport
    private let isClosed = Atomic(false)

    init(_ base: any Transport) { self.base = base }

    func close() { isClosed.store(true, ordering: .releasing) }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if isClosed.load(ordering: .acquiring) { throw .closed }
        return try await base.send(request)
    }
}
