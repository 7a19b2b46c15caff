internal import Synchronization
internal import WharfCore

/// A wrapper of the app's transport that a stack can close for itself.
///
/// The app may still use the base transport after the stack has closed. So `close()` rejects later
/// requests of the stack, and leaves the base open.
final class BorrowedTransport: Transport {
    private let base: any Transport
    private let isClosed = Atomic(false)

    init(_ base: any Transport) { self.base = base }

    func close() { isClosed.store(true, ordering: .releasing) }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        // A request that passed this check just before `close()` runs to its end, as requests in
        // flight do.
        if isClosed.load(ordering: .acquiring) { throw .closed }
        return try await base.send(request)
    }
}
