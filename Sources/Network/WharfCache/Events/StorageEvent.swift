internal import Synchronization
internal import WharfCore

/// The event about one response that is being written: stored, or not stored.
///
/// The first end counts. A reader that leaves during a failed write would otherwise report a second
/// one.
final class StorageEvent: Sendable {
    private let handler: CacheEventHandler
    private let target: String
    private let status: Int
    private let hasEnded = Atomic(false)

    init(_ handler: @escaping CacheEventHandler, _ target: String, status: Int) {
        self.handler = handler
        self.target = target
        self.status = status
    }

    /// Reports that the response is stored.
    func end(stored byteCount: Int64) { end(.stored, status, byteCount, nil) }

    /// Reports that the bytes of a body that broke off are stored.
    func end(stored byteCount: Int64, as status: HTTPResponse.Status, after error: TransportError) {
        // A reader that leaves is no failure.
        end(.stored, status.code, byteCount, error.code == .cancelled ? nil : error.code)
    }

    /// Reports that the response is not stored.
    func end(_ reason: CacheEvent.NotStoredReason) { end(.notStored(reason), status, nil, nil) }

    /// Reports the failure of the body.
    func end(_ error: TransportError) {
        guard error.code != .cancelled else { return end(.abandoned) }
        end(.notStored(.incomplete), status, nil, error.code)
    }

    private func end(
        _ kind: CacheEvent.Kind, _ status: Int, _ byteCount: Int64?, _ failure: TransportError.Code?
    ) {
        guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
        handler(CacheEvent(kind, target: target, status: status, byteCount: byteCount, failure: failure))
    }
}
