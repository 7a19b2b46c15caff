/// What has to be so before a route is shown; asked whenever the router is to go there.
///
/// ```swift
/// let signIn: RouteGuard<AppRoute> = { route in
///     route == .profile && session.user == nil ? .hold(presenting: .signIn) : .allow
/// }
/// ```
///
/// It answers at once, so that what a navigation container does is either so or not so. What has to
/// be found out first is held, and resumed when it is known.
public typealias RouteGuard<R: Route> = @MainActor @Sendable (R) -> GuardDecision<R>

public enum GuardDecision<R: Route>: Hashable, Sendable {
    case allow
    /// Another route in its place, which the guards are asked about in turn.
    case redirect(to: R)
    /// Not now: the navigation is kept until the router's `resume()`.
    ///
    /// - Parameters:
    ///   - presenting: a modal meanwhile, such as a sign-in. No guard is asked about it.
    ///   - style: of this modal.
    case hold(presenting: R? = nil, style: ModalStyle = .sheet)
    /// Never. The reason is part of the error's message.
    case refuse(String)
}

/// Why a route is not shown now.
enum Obstacle<R: Route>: Error {
    case hold(presenting: Modal<R>?)
    /// ``RoutingError/Code/refused``, ``RoutingError/Code/redirectLoop``,
    /// ``RoutingError/Code/unknownTab``.
    case failure(RoutingError)
}

extension Sequence {
    /// The route that these guards lead to.
    @MainActor
    func admit<R>(_ route: R) throws(Obstacle<R>) -> R where Element == RouteGuard<R> {
        // A longer way is taken for an endless one.
        let limit = 32
        var way = [route]
        while true {
            let route = way[way.count - 1]
            // The first that does not allow it decides.
            switch lazy.map({ $0(route) }).first(where: { $0 != .allow }) {
            case nil, .allow: return route
            case .redirect(let next):
                guard !way.contains(next), way.count < limit else { throw .failure(.loop(way + [next])) }
                way.append(next)
            case .hold(let presenting, let style): throw .hold(presenting: presenting.map { Modal($0, style: style) })
            case .refuse(let reason):
                throw .failure(
                    RoutingError(
                        .refused, message: "expected a route that the guards allow, found \(route): \(reason)"))
            }
        }
    }
}

extension RoutingError {
    fileprivate static func loop(_ way: [some Route]) -> RoutingError {
        RoutingError(
            .redirectLoop,
            message: "expected redirects to come to an end, found \(way.count - 1) of them, the last "
                + way.suffix(4).map { "\($0)" }.joined(separator: " to ") + "; let the guards allow one of these")
    }
}
