/// What a router shows and holds, as text to keep: a line for each route, with its link.
///
/// ```
/// push https://example.com/film/42
/// modal https://example.com/search?q=wharf
/// held present
/// push https://example.com/profile
/// ```
public struct SavedRoutes: Hashable, Sendable {
    public internal(set) var text = ""
    /// Why routes are not in the text.
    public internal(set) var failures: [RoutingError] = []
}

/// Routes in the order in which they lie, each on a stack or as a modal.
struct Layers<R: Route> {
    enum Kind: String {
        /// On the stack, or on the modal before it.
        case push
        case modal
    }

    private(set) var routes: [(kind: Kind, route: R)] = []

    init() {}

    init(_ stack: [R], _ modals: some Sequence<Modal<R>>) {
        for route in stack { append(.push, route) }
        for modal in modals {
            append(.modal, modal.root)
            for route in modal.stack { append(.push, route) }
        }
    }

    mutating func append(_ kind: Kind, _ route: R) { routes.append((kind, route)) }

    var state: RouterState<R> {
        var state = RouterState<R>()
        for (kind, route) in routes { state.apply(kind == .push ? .push(route) : .present(route)) }
        return state
    }
}

/// What is held, as it is written: the way to go there, and its routes in the lines that follow.
enum SavedNavigation<R: Route> {
    static var mark: String { "held " }

    static func write(_ navigation: Navigation<R>) -> (name: String, layers: Layers<R>) {
        switch navigation {
        case .push(let route): ("push", Layers([route], []))
        case .present(let route): ("present", Layers([route], []))
        case .show(let stack, let modals): ("show", Layers(stack, modals))
        }
    }

    /// Nil for what was not written by ``write(_:)``.
    static func read(_ name: Substring, _ layers: Layers<R>) -> Navigation<R>? {
        let state = layers.state
        switch (name, layers.routes.count) {
        case ("push", 1): return .push(layers.routes[0].route)
        case ("present", 1): return .present(layers.routes[0].route)
        case ("show", _): return .show(state.stack, modals: state.modals)
        default: return nil
        }
    }
}
