public import Observation
public import WharfCore
internal import WharfPrimitives

/// The observable state of a presenter.
///
/// ```swift
/// final class FilmPresenter: FilmListPresenter {
///     @Presented private(set) var state = FilmList()
///     var states: StateSequence<FilmList> { $state }
/// }
/// ```
///
/// `@Observable` tracks each property separately. This wrapper tracks the state as a whole, so an
/// observer always sees one consistent value. Setting an equal value notifies observers too.
@MainActor @propertyWrapper
public final class Presented<State: Sendable>: nonisolated Observable {
    private let current: Broadcast<State>
    private let registrar = ObservationRegistrar()

    /// Creates the state with its first value.
    public init(wrappedValue: State) { current = Broadcast(wrappedValue) }

    deinit { current.end() }

    /// The current state. Setting it notifies all observers.
    public var wrappedValue: State {
        get {
            registrar.access(self, keyPath: \.wrappedValue)
            return current.latest.state
        }
        set { registrar.withMutation(of: self, keyPath: \.wrappedValue) { current.set(newValue) } }
    }

    /// The current state, then each newest state, until the presenter is deallocated.
    ///
    /// A slow reader skips states in between.
    public var projectedValue: StateSequence<State> { StateSequence(current) }
}
