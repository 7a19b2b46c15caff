#if canImport(Combine) || OpenCombine
public import WharfCore

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// The snapshots of a read, for code that observes by Combine.
///
/// Elsewhere use `ObservableSnapshot`.
///
/// ```swift
/// @StateObject private var user = SnapshotObject(users.observe(id: 1))
/// ```
///
/// It starts to read at its creation, and stops at its deallocation.
@MainActor
public final class SnapshotObject<Value: Sendable>: ObservableObject {
    /// The newest snapshot. Before the first it is empty and refreshing.
    @Published public private(set) var snapshot = Snapshot<Value>.awaited
    private var reader: SnapshotReader?

    /// Creates an object that reads the sequence.
    public init(_ snapshots: SnapshotSequence<Value>) {
        reader = SnapshotReader(snapshots) { [weak self] in self?.snapshot = $0 }
    }

    /// The last good value; nil if there never was one.
    public var value: Value? { snapshot.value }
    /// The error of the last refresh, beside the value; nil if it did not fail.
    public var error: ReadFailure? { snapshot.error }
}
#endif
