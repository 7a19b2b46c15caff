/// Reads a sequence on the main actor as long as it is held.
package final class SnapshotReader: Sendable {
    private let task: Task<Void, Never>

    package init<Value: Sendable>(
        _ snapshots: SnapshotSequence<Value>, _ show: @escaping @MainActor @Sendable (Snapshot<Value>) -> Void
    ) {
        task = Task { @MainActor in
            var last = Snapshot<Value>.awaited
            for await snapshot in snapshots {
                // What was on its way when nobody wanted it any longer.
                guard !Task.isCancelled else { return }
                show(snapshot)
                last = snapshot
            }
            // A sequence that ends in the midst of a refresh will not tell how that went.
            if last.fetch != .idle, !Task.isCancelled { show(Snapshot(kept: last.kept, error: last.error)) }
        }
    }

    deinit { task.cancel() }
}

extension Snapshot {
    /// Before anything is known.
    package static var awaited: Snapshot { Snapshot(kept: nil, fetch: .refreshing) }
}
