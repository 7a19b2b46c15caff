public import Observation

/// The current snapshot of a read, for a view. It is updated as long as it is held.
///
/// ```swift
/// @State private var user = ObservableSnapshot(users.observe(id: 1))
/// ```
///
/// The read starts when the object is created and ends when the object is released.
@MainActor @Observable
public final class ObservableSnapshot<Value: Sendable> {
    /// The newest snapshot. Before the first one it is empty and refreshing.
    public private(set) var snapshot = Snapshot<Value>.awaited
    @ObservationIgnored private var reader: SnapshotReader?

    /// Starts to read a sequence of snapshots.
    public init(_ snapshots: SnapshotSequence<Value>) {
        reader = SnapshotReader(snapshots) { [weak self] in self?.snapshot = $0 }
    }

    /// The last good value, if there was one.
    public var value: Value? { snapshot.value }
    /// The reason why the last refresh failed. A kept value stays beside it.
    public var error: ReadFailure? { snapshot.error }
}
