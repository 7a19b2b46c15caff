public import Observation
public import WharfCore

/// The state that a view shows and the target of its events, behind a protocol.
///
/// The protocol of a screen refines it with the user's actions, and the view is generic over that
/// protocol:
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
/// A class conforms by ``Presented``, and can be observed in three ways:
///
/// - A view that reads ``state`` is updated when it changes, by Observation (SwiftUI,
///   `withObservationTracking`).
/// - ``states`` is an `AsyncSequence` for everything else: a terminal, a web page, a UIKit view.
/// - `PresenterObject(presenter.states)` of `WharfCombine` is an `ObservableObject`.
///
/// Observers do not retain the presenter. The state changes only on the main actor. So it cannot
/// change between a view's first read and its registration as an observer.
@MainActor
public protocol Presenter<State>: AnyObject, Observable, Sendable {
    /// The state that the view shows.
    associatedtype State: Sendable

    /// The current state: everything that the view shows.
    var state: State { get }
    /// The current state, then each newest one. The sequence ends with the presenter.
    var states: StateSequence<State> { get }
}
