internal import Observation
internal import WharfCore

/// The snapshot of a read by a key that can change, as in a recycled cell or row.
///
/// - A late answer for an earlier key is dropped.
/// - A read that fails or is cancelled keeps the value that was read for this key.
@MainActor @Observable final class KeyedSnapshot<Key: Equatable & Sendable, Value: Sendable> {
    private(set) var snapshot: Snapshot<Value>?
    @ObservationIgnored private var key: Key?

    func load(_ key: Key, by read: @Sendable (Key) async -> Snapshot<Value>) async {
        if key != self.key {
            self.key = key
            // At once: a recycled cell must not show the image of another row during the read.
            snapshot = nil
        }
        let answer = await read(key)
        // The key may have changed during the read.
        guard !Task.isCancelled, key == self.key else { return }
        if let kept = snapshot?.kept, answer.kept == nil {
            snapshot = Snapshot(kept: kept, error: answer.error)
        } else {
            snapshot = answer
        }
    }
}
