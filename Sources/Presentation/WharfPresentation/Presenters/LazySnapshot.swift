internal import WharfCore

/// An `ObservableSnapshot` that starts reading at its first access.
///
/// SwiftUI creates a view's value repeatedly and keeps only the first state. Without this, each
/// creation would make an `ObservableSnapshot` and send a request.
@MainActor final class LazySnapshot<Value: Sendable> {
    private let sequence: SnapshotSequence<Value>
    private(set) lazy var observed = ObservableSnapshot(sequence)

    init(_ sequence: SnapshotSequence<Value>) { self.sequence = sequence }
}
