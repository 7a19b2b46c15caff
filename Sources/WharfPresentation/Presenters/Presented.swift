public import Observation
public import WharfCore
internal import WharfPrimitives

/// The state of a presenter, which can be observed.
///
/// ```swift
/// final class FilmPresenter: FilmListPresenter {
///     @Presented private(set) var state = FilmList()
///     var states: StateSequence<FilmList> { $state }
/// }
/// ```
///
/// Where `@Observable` tracks each property by itself, this tracks the state as a whole: one value
/// that is always consistent. Observers are told when it is set, also to an equal value.
@MainActor @propertyWrapper
public final class Presented<State: Sendable>: nonisolated Observable {
    private let current: Broadcast<State>
    private let registrar = ObservationRegistrar()

    public init(wrappedValue: State) { current = Broadcast(wrappedValue) }

    deinit { current.end() }

    public var wrappedValue: State {
        get {
            registrar.access(self, keyPath: \.wrappedValue)
            return current.latest.state
        }
        set { registrar.withMutation(of: self, keyPath: \.wrappedValue) { current.set(newValue) } }
    }

    /// The present state, then the newest whenever there is a newer one; until the presenter is
    /// gone.
    public var projectedValue: StateSequence<State> { StateSequence(current) }
}
