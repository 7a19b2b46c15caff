public import Observation
public import WharfCore

/// What a view shows and hands its events to, without knowing who that is.
///
/// The protocol of a screen refines it by what the user can do there, and the view is generic over
/// that:
///
/// ```swift
/// protocol FilmListPresenter: Presenter<FilmList> {
///     func select(_ film: Film.ID)
/// }
///
/// struct FilmListView<P: FilmListPresenter>: View {
///     let presenter: P
///     var body: some View { List(presenter.state.films) { film in … } }
/// }
/// ```
///
/// A class conforms by ``Presented``, and is observed in each of these ways:
///
/// - A view that reads ``state`` is shown again when it changes, by Observation (SwiftUI,
///   `withObservationTracking`).
/// - ``states`` are an `AsyncSequence`, for anything else: a terminal, a web page, a view of UIKit.
/// - `PresenterObject(presenter.states)` of `WharfCombine` is an `ObservableObject`.
///
/// Who observes does not keep the presenter alive. The state changes on the main actor alone, so
/// between the first read of a view and its registration none can change it.
@MainActor
public protocol Presenter<State>: AnyObject, Observable, Sendable {
    associatedtype State: Sendable

    /// All that the view shows.
    var state: State { get }
    /// The present state first. They end with the presenter.
    var states: StateSequence<State> { get }
}
