internal import Observation
internal import WharfCore

/// The snapshot of a read by a key that may become another one, as in a cell or row that is used
/// again.
///
/// - A late answer for a former key is dropped.
/// - A read that fails, or is cancelled, leaves what was read for this key.
@MainActor @Observable final class KeyedSnapshot<Key: Equatable & Sendable, Value: Sendable> {
    private(set) var snapshot: Snapshot<Value>?
    @ObservationIgnored private var key: Key?

    func load(_ key: Key, by read: @Sendable (Key) async -> Snapshot<Value>) async {
        if key != self.key {
            self.key = key
            snapshot = nil
        }
        let answer = await read(key)
        // The key may have become another one during the read.
        guard !Task.isCancelled, key == self.key else { return }
        if let kept = snapshot?.kept, answer.kept == nil {
            snapshot = Snapshot(kept: kept, error: answer.error)
        } else {
            snapshot = answer
        }
    }
}
