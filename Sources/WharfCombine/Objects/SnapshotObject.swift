#if canImport(Combine) || OpenCombine
public import WharfCore

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// What a view shows of a read, for code that observes by Combine; elsewhere use
/// `ObservableSnapshot`.
///
/// ```swift
/// @StateObject private var user = SnapshotObject(users.observe(id: 1))
/// ```
///
/// It starts to read when it is made; letting go of it ends the read.
@MainActor
public final class SnapshotObject<Value: Sendable>: ObservableObject {
    /// The newest. Until something is known it is empty and refreshing.
    @Published public private(set) var snapshot = Snapshot<Value>.awaited
    private var reader: SnapshotReader?

    public init(_ snapshots: SnapshotSequence<Value>) {
        reader = SnapshotReader(snapshots) { [weak self] in self?.snapshot = $0 }
    }

    /// The last good value, if there ever was one.
    public var value: Value? { snapshot.value }
    /// Why the last refresh failed, beside the value.
    public var error: ReadFailure? { snapshot.error }
}
#endif
