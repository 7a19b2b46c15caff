public import WharfCore

/// Where an app is and where it goes, by routes alone: it knows no view.
///
/// ```swift
/// let router = Router<AppRoute>(guards: [signInFirst], willNavigate: { event in analytics.post(ScreenShown(event.to)) })
/// try router.open("https://example.com/film/42?utm_source=mail")
/// try router.push(.film(id: 7))
/// ```
///
/// A navigation container shows ``stack``, ``modals`` and ``tab``, and writes them when the user
/// goes back or selects a tab. `RouterStack` and `RouterTabs` do so in SwiftUI. In UIKit a
/// `UINavigationController` follows ``states``, and its delegate sets ``stack``.
@MainActor
public final class Router<R: Route>: Presenter {
    /// How a navigation went that did not fail.
    public enum Outcome: Hashable, Sendable {
        /// It is shown, where guards have led it.
        case shown
        /// A guard holds it, in place of what was held before.
        case held(dropped: HeldNavigation<R>?)
    }

    @Presented public private(set) var state: RouterState<R>
    public var states: StateSequence<RouterState<R>> { $state }

    let links: RouteTable<R>
    /// The guards that later navigations ask, in their order.
    ///
    /// Routes that are shown already are not asked about again. A change by a guard or by
    /// `willNavigate` counts from the next navigation on.
    public var guards: [RouteGuard<R>]
    private let opening: (@MainActor (R) -> Navigation<R>)?
    let onFailure: @MainActor (RoutingError) -> Void
    private let willNavigate: @MainActor (NavigationEvent<R>) -> Void
    private var isNavigating = false

    /// - Parameters:
    ///   - state: what is shown at first; nobody is asked about it.
    ///   - guards: asked in their order; the first that does not allow a route decides.
    ///   - opening: how the route of a link is gone to. By default a tab is selected, and any other
    ///     route is pushed.
    ///   - onFailure: is called with errors that can't be thrown: of a way back, and of a
    ///     navigation container that sets ``stack``, ``modals``, ``modal`` or ``tab``. A navigation
    ///     that was held before one that a container shows is ``RoutingError/Code/leftOut``.
    ///   - willNavigate: told once before each change of what is shown, also before a way back.
    ///     Neither it nor a guard can navigate.
    public init(
        _ state: RouterState<R> = RouterState(), links: RouteTable<R> = R.links, guards: [RouteGuard<R>] = [],
        opening: (@MainActor (R) -> Navigation<R>)? = nil,
        onFailure: @escaping @MainActor (RoutingError) -> Void = { _ in },
        willNavigate: @escaping @MainActor (NavigationEvent<R>) -> Void = { _ in }
    ) {
        self.state = state
        self.links = links
        self.guards = guards
        self.opening = opening
        self.onFailure = onFailure
        self.willNavigate = willNavigate
    }

    /// Goes where a link leads.
    ///
    /// - Throws: ``RoutingError``: for a link that leads nowhere, and as of ``go(_:)``.
    @discardableResult
    public func open(_ text: String) throws(RoutingError) -> Outcome {
        let link = try Link(text)
        let route = try links.route(for: link)
        let navigation = opening?(route) ?? (state.hasTab(route) ? .select(route) : .push(route))
        return try alone { () throws(RoutingError) in try go(navigation, link: link, from: state) }
    }

    /// Goes there as far as the guards allow.
    ///
    /// - Throws: ``RoutingError/Code/refused``, ``RoutingError/Code/redirectLoop``,
    ///   ``RoutingError/Code/unknownTab``, ``RoutingError/Code/alreadyNavigating``. Nothing has
    ///   changed then.
    @discardableResult
    public func go(_ navigation: Navigation<R>) throws(RoutingError) -> Outcome {
        try alone { () throws(RoutingError) in try go(navigation, link: nil, from: state) }
    }

    /// ``go(_:)`` on top of what is there.
    @discardableResult
    public func push(_ route: R) throws(RoutingError) -> Outcome { try go(.push(route)) }

    /// ``go(_:)`` to a modal.
    @discardableResult
    public func present(_ route: R, style: ModalStyle = .sheet) throws(RoutingError) -> Outcome {
        try go(.present(route, style: style))
    }

    /// ``go(_:)`` to a tab.
    @discardableResult
    public func select(_ tab: R) throws(RoutingError) -> Outcome { try go(.select(tab)) }

    /// Takes away the uppermost route of the uppermost stack.
    public func pop() { goBack { $0.pop() } }

    /// Takes away all routes of the uppermost stack.
    public func popToRoot() { goBack { $0.popToRoot() } }

    /// Takes away the uppermost modal. What is held stays held.
    public func dismiss() { goBack { $0.dismiss() } }

    /// Goes on with what is held, once: after a sign-in. What was shown meanwhile goes. The guards
    /// are asked again, and may hold it again.
    ///
    /// - Returns: nil when nothing is held.
    /// - Throws: as ``go(_:)``. What a guard refuses now is no longer held.
    @discardableResult
    public func resume() throws(RoutingError) -> Outcome? {
        try alone { () throws(RoutingError) in
            var next = state
            guard let held = next.takeHeld() else { return nil }
            do throws(RoutingError) {
                return try go(held.navigation, link: held.link, from: next)
            } catch {
                commit(next)
                throw error
            }
        }
    }

    /// Gives up what is held, and takes away what is shown meanwhile: when somebody turns a sign-in
    /// down.
    ///
    /// - Returns: what it was; nil when nothing was held.
    @discardableResult
    public func dropHeld() -> HeldNavigation<R>? {
        var dropped: HeldNavigation<R>?
        goBack { dropped = $0.takeHeld() }
        return dropped
    }
}

extension Router {
    /// For who can't catch.
    func tellingFailure(_ body: () throws(RoutingError) -> Void) {
        do throws(RoutingError) { try body() } catch { onFailure(error) }
    }

    /// Whoever is called meanwhile finds the router busy: a change in the midst of a change would
    /// be lost, or lose the other.
    func alone<Result>(_ body: () throws(RoutingError) -> Result) throws(RoutingError) -> Result {
        guard !isNavigating else {
            throw RoutingError(
                .alreadyNavigating,
                message:
                    "expected guards, willNavigate and observers of a change in progress to leave the router alone, "
                    + "found one that navigates; let a guard redirect, or navigate in a task of its own")
        }
        isNavigating = true
        defer { isNavigating = false }
        return try body()
    }

    func commit(_ next: RouterState<R>, link: Link? = nil) {
        if !next.shows(state) {
            willNavigate(NavigationEvent(from: state.visible, to: next.visible, link: link))
        }
        if next != state { state = next }
    }

    /// Tells observers of the state that there is, for containers that show another.
    func showAgain() {
        let present = state
        state = present
    }

    func goBack(_ change: (inout RouterState<R>) -> Void) {
        tellingFailure { () throws(RoutingError) in
            try alone { () throws(RoutingError) in
                var next = state
                change(&next)
                commit(next)
            }
        }
    }

    func go(
        _ navigation: Navigation<R>, link: Link?, from start: RouterState<R>
    ) throws(RoutingError) -> Outcome {
        var next = start
        let guards = guards
        do throws(Obstacle<R>) {
            next.apply(try next.admitting(navigation) { route throws(Obstacle<R>) in try guards.admit(route) })
            commit(next, link: link)
            return .shown
        } catch {
            switch error {
            case .failure(let error): throw error
            case .hold(let presenting):
                let dropped = next.hold(navigation, link: link, presenting: presenting)
                commit(next)
                return .held(dropped: dropped)
            }
        }
    }
}
