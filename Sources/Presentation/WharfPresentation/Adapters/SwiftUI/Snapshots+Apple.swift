#if canImport(SwiftUI)
public import SwiftUI
public import WharfCore

/// The newest snapshot of a sequence, for a view that shows it.
///
/// ```swift
/// struct FilmsView: View {
///     @Snapshots private var films: Snapshot<[Film]>
///
///     init(_ repository: Repository<Film>) { _films = Snapshots(repository.observeList()) }
///
///     var body: some View {
///         ListRows(RowSource(films)) { … } row: { … }
///     }
/// }
/// ```
///
/// The view reads the sequence from its first appearance until it is removed. It keeps its first
/// sequence: for another sequence, give the view another identity, such as `.id(film.id)`. A model
/// outside of views holds an `ObservableSnapshot`.
@MainActor @propertyWrapper
public struct Snapshots<Value: Sendable>: DynamicProperty {
    @State private var lazy: LazySnapshot<Value>

    /// Creates a property that reads the sequence once the view appears.
    public init(_ sequence: SnapshotSequence<Value>) {
        _lazy = State(wrappedValue: LazySnapshot(sequence))
    }

    /// The newest snapshot.
    public var wrappedValue: Snapshot<Value> { lazy.observed.snapshot }
}
#endif
