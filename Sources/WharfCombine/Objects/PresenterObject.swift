#if canImport(Combine) || OpenCombine
public import WharfCore

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// What a presenter shows, for views that observe by Combine.
///
/// ```swift
/// struct FilmListView<P: FilmListPresenter>: View {
///     let presenter: P
///     @ObservedObject var shown: PresenterObject<FilmList>        // PresenterObject(presenter.states)
/// }
/// ```
///
/// It has the present state from the start, follows the presenter a turn of the main actor later,
/// and does not keep it alive: once the presenter is gone it shows the last state.
@MainActor
public final class PresenterObject<State: Sendable>: ObservableObject {
    @Published public private(set) var state: State
    private var reader: Task<Void, Never>?

    public init(_ states: StateSequence<State>) {
        let (present, newer) = states.presentAndNewer()
        state = present
        reader = Task { @MainActor [weak self] in
            var newer = newer
            while let state = await newer.next(isolation: #isolation) { self?.state = state }
        }
    }

    deinit { reader?.cancel() }
}
#endif
