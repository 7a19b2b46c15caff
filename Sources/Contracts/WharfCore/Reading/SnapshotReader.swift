/// Reads a sequence on the main actor until it is released.
package final class SnapshotReader: Sendable {
    private let task: Task<Void, Never>

    package init<Value: Sendable>(
        _ snapshots: SnapshotSequence<Value>, _ show: @escaping @MainActor @Sendable (Snapshot<Value>) -> Void
    ) {
        task = Task { @MainActor in
            var last = Snapshot<Value>.awaited
            for await snapshot in snapshots {
                // The sequence may still deliver a snapshot after the reader was released.
                guard !Task.isCancelled else { return }
                show(snapshot)
                last = snapshot
            }
            // If the sequence ends during a refresh, the refresh has no outcome. The view must not
            // show it as running for ever.
            if last.fetch != .idle, !Task.isCancelled { show(Snapshot(kept: last.kept, error: last.error)) }
        }
    }

    deinit { task.cancel() }
}

extension Snapshot {
    /// The snapshot before anything is known.
    package static var awaited: Snapshot { Snapshot(kept: nil, fetch: .refreshing) }
}
