internal import Synchronization
internal import WharfCore

/// The snapshots for one observer, merged from several sources.
final class MergedSnapshots<State: Sendable, Value: Sendable>: Sendable {
    private let state: Mutex<State>
    private let continuation: AsyncStream<Snapshot<Value>>.Continuation

    init(_ state: State, _ continuation: AsyncStream<Snapshot<Value>>.Continuation) {
        self.state = Mutex(state)
        self.continuation = continuation
    }

    /// Tells the observer the snapshot that `body` returns.
    ///
    /// The lock is held meanwhile, so that two changes can't overtake each other.
    func change(_ body: (inout State) -> Snapshot<Value>?) {
        state.withLock { state in
            // Safe under the lock: the termination handler of this stream cancels a task, and takes
            // no lock of this object.
            if let snapshot = body(&state) { continuation.yield(snapshot) }
        }
    }
}

extension SnapshotSequence {
    /// Returns a sequence of the snapshots that `follow` tells.
    ///
    /// - Parameters:
    ///   - executor: the executor of `follow`; nil for the global one.
    ///   - follow: runs for one observer. It is cancelled when the observer leaves, and the
    ///     sequence ends with it.
    static func merging<State: Sendable>(
        _ state: State, on executor: (any TaskExecutor)?,
        _ follow: @escaping @Sendable (MergedSnapshots<State, Value>) async -> Void
    ) -> SnapshotSequence {
        SnapshotSequence {
            let (stream, continuation) = AsyncStream.makeStream(
                of: Snapshot<Value>.self, bufferingPolicy: .bufferingNewest(1))
            let task = Task(executorPreference: executor) {
                await follow(MergedSnapshots(state, continuation))
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
            return stream
        }
    }
}
