/// A check that a router makes before it shows a route.
///
/// ```swift
/// let signIn: RouteGuard<AppRoute> = { route in
///     route == .profile && session.user == nil ? .hold(presenting: .signIn) : .allow
/// }
/// ```
///
/// A guard is synchronous, because a navigation container has to know at once whether its change is
/// accepted. If a decision takes time, hold the navigation and resume it afterwards.
public typealias RouteGuard<R: Route> = @MainActor @Sendable (R) -> GuardDecision<R>

/// The decision of a guard about a route.
public enum GuardDecision<R: Route>: Hashable, Sendable {
    /// The route may be shown.
    case allow
    /// Another route is shown instead. The guards check that route in turn.
    case redirect(to: R)
    /// The router keeps the navigation until its `resume()`.
    ///
    /// - Parameters:
    ///   - presenting: a modal to show meanwhile, such as a sign-in. No guard checks it.
    ///   - style: the style of this modal.
    case hold(presenting: R? = nil, style: ModalStyle = .sheet)
    /// The route is not shown. The reason becomes part of the error's message.
    case refuse(String)
}

/// The reason why a route is not shown now.
enum Obstacle<R: Route>: Error {
    case hold(presenting: Modal<R>?)
    /// The route is not shown.
    ///
    /// The code is ``RoutingError/Code/refused``, ``RoutingError/Code/redirectLoop`` or
    /// ``RoutingError/Code/unknownTab``.
    case failure(RoutingError)
}

extension Sequence {
    /// Returns the route that these guards lead to, after redirects.
    @MainActor
    func admit<R>(_ route: R) throws(Obstacle<R>) -> R where Element == RouteGuard<R> {
        // More redirects than this count as a loop.
        let limit = 32
        var way = [route]
        while true {
            let route = way[way.count - 1]
            // The first guard that does not allow the route decides.
            switch lazy.map({ $0(route) }).first(where: { $0 != .allow }) {
            case nil, .allow: return route
            case .redirect(let next):
                // A route that comes again is a loop at once. The limit stops guards that make ever
                // new routes.
                guard !way.contains(next), way.count < limit else { throw .failure(.loop(way + [next])) }
                way.append(next)
            case .hold(let presenting, let style): throw .hold(presenting: presenting.map { Modal($0, style: style) })
            case .refuse(let reason):
                throw .failure(RoutingError(.refused, message: "a guard refused the route \(route): \(reason)"))
            }
        }
    }
}

extension RoutingError {
    fileprivate static func loop(_ way: [some Route]) -> RoutingError {
        RoutingError(
            .redirectLoop,
            message: "redirect loop: \(way.count - 1) guards in a row redirected, the last "
                + way.suffix(4).map { "\($0)" }.joined(separator: " to ") + "; let the guards allow one of these")
    }
}
