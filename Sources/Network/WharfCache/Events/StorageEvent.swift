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
    func end(stored byteCount: Int64) { end(.stored, byteCount, nil) }

    /// Reports that the response is not stored.
    func end(_ reason: CacheEvent.NotStoredReason) { end(.notStored(reason), nil, nil) }

    /// Reports the failure of the body.
    func end(_ error: TransportError) {
        guard error.code != .cancelled else { return end(.abandoned) }
        end(.notStored(.incomplete), nil, error.code)
    }

    private func end(_ kind: CacheEvent.Kind, _ byteCount: Int64?, _ failure: TransportError.Code?) {
        guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
        handler(CacheEvent(kind, target: target, status: status, byteCount: byteCount, failure: failure))
    }
}
