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
/// The sequence is read from the first time that the view is drawn until it is gone. A view keeps
/// its first sequence: give it another identity, such as `.id(film.id)`, for another sequence. A
/// model that is no view holds an `ObservableSnapshot`.
@MainActor @propertyWrapper
public struct Snapshots<Value: Sendable>: DynamicProperty {
    @State private var lazy: LazySnapshot<Value>

    public init(_ sequence: SnapshotSequence<Value>) {
        _lazy = State(wrappedValue: LazySnapshot(sequence))
    }

    public var wrappedValue: Snapshot<Value> { lazy.observed.snapshot }
}
#endif
