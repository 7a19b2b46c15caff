public import WharfCore

/// The navigation state of an app, as routes without knowledge of views.
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
    /// The outcome of a navigation that has not failed.
    public enum Outcome: Hashable, Sendable {
        /// The navigation is shown, at its target or where guards have redirected it.
        case shown
        /// A guard holds the navigation. It replaces the navigation that was held before.
        case held(dropped: HeldNavigation<R>?)
    }

    /// The current state, which only the router changes.
    @Presented public private(set) var state: RouterState<R>
    /// The current state, then each newest one.
    public var states: StateSequence<RouterState<R>> { $state }

    let links: RouteTable<R>
    /// The guards of later navigations, in order.
    ///
    /// Guards are not asked about routes that are shown already. A change that a guard or
    /// `willNavigate` makes takes effect with the next navigation.
    public var guards: [RouteGuard<R>]
    private let opening: (@MainActor (R) -> Navigation<R>)?
    let onFailure: @MainActor (RoutingError) -> Void
    private let willNavigate: @MainActor (NavigationEvent<R>) -> Void
    // Invariant: while it is true, one call of `alone` owns the state. Guards and observers run
    // inside of that call.
    private var isNavigating = false

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - state: the initial state. Guards do not check it.
    ///   - links: the table that ``open(_:)`` parses links by.
    ///   - guards: asked in order. The first that does not allow a route decides.
    ///   - opening: returns the navigation for the route of a link. By default a tab is selected,
    ///     and any other route is pushed.
    ///   - onFailure: called with errors that cannot be thrown. These come from going back, and
    ///     from a container that sets ``stack``, ``modals``, ``modal`` or ``tab``. If such a
    ///     container's navigation is held, the one held before is reported as
    ///     ``RoutingError/Code/leftOut``.
    ///   - willNavigate: called once before each visible change, including going back. Neither it
    ///     nor a guard can navigate.
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

    /// Goes to the route of a link.
    ///
    /// - Throws: ``RoutingError`` if the link has no route, and the errors of ``go(_:)``.
    @discardableResult
    public func open(_ text: String) throws(RoutingError) -> Outcome {
        let link = try Link(text)
        let route = try links.route(for: link)
        let navigation = opening?(route) ?? (state.hasTab(route) ? .select(route) : .push(route))
        return try alone { () throws(RoutingError) in try go(navigation, link: link, from: state) }
    }

    /// Performs a navigation, as far as the guards allow.
    ///
    /// - Throws: ``RoutingError/Code/refused``, ``RoutingError/Code/redirectLoop``,
    ///   ``RoutingError/Code/unknownTab``, ``RoutingError/Code/alreadyNavigating``. The state is
    ///   unchanged then.
    @discardableResult
    public func go(_ navigation: Navigation<R>) throws(RoutingError) -> Outcome {
        try alone { () throws(RoutingError) in try go(navigation, link: nil, from: state) }
    }

    /// Pushes a route onto the topmost stack, by ``go(_:)``.
    @discardableResult
    public func push(_ route: R) throws(RoutingError) -> Outcome { try go(.push(route)) }

    /// Presents a route as a modal, by ``go(_:)``.
    @discardableResult
    public func present(_ route: R, style: ModalStyle = .sheet) throws(RoutingError) -> Outcome {
        try go(.present(route, style: style))
    }

    /// Selects a tab, by ``go(_:)``.
    @discardableResult
    public func select(_ tab: R) throws(RoutingError) -> Outcome { try go(.select(tab)) }

    /// Removes the top route of the topmost stack.
    public func pop() { goBack { $0.pop() } }

    /// Removes all routes of the topmost stack.
    public func popToRoot() { goBack { $0.popToRoot() } }

    /// Dismisses the topmost modal. A held navigation stays held.
    public func dismiss() { goBack { $0.dismiss() } }

    /// Performs the held navigation, for example after a sign-in.
    ///
    /// The modal shown meanwhile is dismissed. The guards are asked again, and may hold the
    /// navigation again.
    ///
    /// - Returns: the outcome; nil if no navigation is held.
    /// - Throws: as ``go(_:)``. A navigation that a guard now refuses is no longer held.
    @discardableResult
    public func resume() throws(RoutingError) -> Outcome? {
        try alone { () throws(RoutingError) in
            var next = state
            // Taken in a copy: if a guard throws, the cover is dismissed by the commit below and
            // not before.
            guard let held = next.takeHeld() else { return nil }
            do throws(RoutingError) {
                return try go(held.navigation, link: held.link, from: next)
            } catch {
                commit(next)
                throw error
            }
        }
    }

    /// Drops the held navigation and dismisses the modal shown meanwhile.
    ///
    /// Call it when the user declines a sign-in, for example.
    ///
    /// - Returns: the dropped navigation; nil if none was held.
    @discardableResult
    public func dropHeld() -> HeldNavigation<R>? {
        var dropped: HeldNavigation<R>?
        goBack { dropped = $0.takeHeld() }
        return dropped
    }
}

extension Router {
    /// Passes an error to `onFailure`, for callers that cannot throw.
    func tellingFailure(_ body: () throws(RoutingError) -> Void) {
        do throws(RoutingError) { try body() } catch { onFailure(error) }
    }

    /// Runs the body as the only navigation. A nested call throws
    /// ``RoutingError/Code/alreadyNavigating``.
    ///
    /// A nested change would be overwritten when the outer one commits, or would overwrite it.
    func alone<Result>(_ body: () throws(RoutingError) -> Result) throws(RoutingError) -> Result {
        guard !isNavigating else {
            throw RoutingError(
                .alreadyNavigating,
                message:
                    "a guard, willNavigate or an observer navigated while a change is in progress; "
                    + "let a guard redirect, or navigate in a separate task")
        }
        isNavigating = true
        defer { isNavigating = false }
        return try body()
    }

    func commit(_ next: RouterState<R>, link: Link? = nil) {
        if !next.shows(state) {
            willNavigate(NavigationEvent(from: state.visible, to: next.visible, link: link))
        }
        // After `willNavigate`, which may still see the state before. Observers are notified once.
        if next != state { state = next }
    }

    /// Publishes the unchanged state, for containers that show another.
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
            // The state changes only after the last guard has decided, so a refusal leaves it as it
            // was.
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
