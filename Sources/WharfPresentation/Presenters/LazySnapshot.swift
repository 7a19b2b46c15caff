internal import WharfCore

/// An `ObservableSnapshot` that begins to read when it is asked for.
///
/// SwiftUI makes a view's value again and again and keeps the first state of it. An
/// `ObservableSnapshot` in each of them would send a request each time.
@MainActor final class LazySnapshot<Value: Sendable> {
    private let sequence: SnapshotSequence<Value>
    private(set) lazy var observed = ObservableSnapshot(sequence)

    init(_ sequence: SnapshotSequence<Value>) { self.sequence = sequence }
}
