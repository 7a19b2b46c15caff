public import Observation

/// What a view shows of a read, up to date as long as somebody holds this.
///
/// ```swift
/// @State private var user = ObservableSnapshot(users.observe(id: 1))
/// ```
///
/// It starts to read when it is made; letting go of it ends the read.
@MainActor @Observable
public final class ObservableSnapshot<Value: Sendable> {
    /// The newest. Until something is known it is empty and refreshing.
    public private(set) var snapshot = Snapshot<Value>.awaited
    @ObservationIgnored private var reader: SnapshotReader?

    public init(_ snapshots: SnapshotSequence<Value>) {
        reader = SnapshotReader(snapshots) { [weak self] in self?.snapshot = $0 }
    }

    /// The last good value, if there ever was one.
    public var value: Value? { snapshot.value }
    /// Why the last refresh failed, beside the value.
    public var error: ReadFailure? { snapshot.error }
}
