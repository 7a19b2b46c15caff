#if canImport(Combine) || OpenCombine
public import WharfCore

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// The state of a presenter, for views that observe by Combine.
///
/// ```swift
/// struct FilmListView<P: FilmListPresenter>: View {
///     let presenter: P
///     @ObservedObject var shown: PresenterObject<FilmList>        // PresenterObject(presenter.states)
/// }
/// ```
///
/// It has the current state from the start, and follows the presenter one turn of the main actor
/// later. It does not retain the presenter: after the presenter's deallocation it shows the last
/// state.
@MainActor
public final class PresenterObject<State: Sendable>: ObservableObject {
    /// The state of the presenter.
    @Published public private(set) var state: State
    private var reader: Task<Void, Never>?

    /// Creates an object that follows the states.
    public init(_ states: StateSequence<State>) {
        // One call for both: a state between two calls would be missed.
        let (present, newer) = states.presentAndNewer()
        state = present
        // The task would otherwise retain the object, and `deinit` would never cancel it.
        reader = Task { @MainActor [weak self] in
            var newer = newer
            while let state = await newer.next(isolation: #isolation) { self?.state = state }
        }
    }

    deinit { reader?.cancel() }
}
#endif
