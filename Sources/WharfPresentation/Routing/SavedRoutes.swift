/// What a router shows and holds, as text to keep: a line for each route, with its link.
///
/// Tabs that are not selected come first, each with its stack, then the selected one with all that
/// covers it:
///
/// ```
/// tab https://example.com/search
/// push https://example.com/film/7
/// selected https://example.com/
/// push https://example.com/film/42
/// modal https://example.com/search?q=wharf
/// cover https://example.com/player/42
/// held present
/// push https://example.com/profile
/// ```
public struct SavedRoutes: Hashable, Sendable {
    public internal(set) var text = ""
    /// Why routes are not in the text.
    public internal(set) var failures: [RoutingError] = []
}

/// Routes in the order in which they cover one another.
struct Layers<R: Route> {
    enum Kind: String {
        /// On the stack, or on the modal before it.
        case push
        /// A sheet.
        case modal
        /// A modal over the whole screen.
        case cover
        /// The root of the selected tab.
        case selected
        /// The root of another tab.
        case tab
    }

    private(set) var routes: [(kind: Kind, route: R)] = []

    init() {}

    init(tab: R? = nil, _ stack: [R], _ modals: some Sequence<Modal<R>>) {
        if let tab { append(.selected, tab) }
        for route in stack { append(.push, route) }
        for modal in modals {
            append(modal.style == .sheet ? .modal : .cover, modal.root)
            for route in modal.stack { append(.push, route) }
        }
    }

    mutating func append(_ kind: Kind, _ route: R) { routes.append((kind, route)) }

    init(_ tab: RouterTab<R>) {
        append(.tab, tab.root)
        for route in tab.stack { append(.push, route) }
    }

    /// The navigation that shows these routes.
    var navigation: Navigation<R> {
        let tab = routes.first.flatMap { $0.kind == .selected ? $0.route : nil }
        var state = RouterState<R>()
        for (kind, route) in routes.dropFirst(tab == nil ? 0 : 1) { state.apply(Self.navigation(to: route, as: kind)) }
        return .show(state.stack, tab: tab, modals: state.modals)
    }

    static func navigation(to route: R, as kind: Kind) -> Navigation<R> {
        switch kind {
        case .push: .push(route)
        case .modal: .present(route)
        case .cover: .present(route, style: .fullScreen)
        case .selected, .tab: .select(route)
        }
    }
}

/// What is held, as it is written: the way to go there, and its routes in the lines that follow.
enum SavedNavigation<R: Route> {
    static var mark: String { "held " }

    static func write(_ navigation: Navigation<R>) -> (name: String, layers: Layers<R>) {
        switch navigation {
        case .push(let route): ("push", Layers([route], []))
        case .present(let route, .sheet): ("present", Layers([route], []))
        case .present(let route, .fullScreen): ("cover", Layers([route], []))
        case .select(let root): ("select", Layers([root], []))
        case .show(let stack, let tab, let modals): ("show", Layers(tab: tab, stack, modals))
        }
    }

    /// Nil for what was not written by ``write(_:)``.
    static func read(_ name: Substring, _ layers: Layers<R>) -> Navigation<R>? {
        guard layers.routes.allSatisfy({ $0.kind != .tab }) else { return nil }
        switch (name, layers.routes.count) {
        case ("push", 1): return .push(layers.routes[0].route)
        case ("present", 1): return .present(layers.routes[0].route)
        case ("cover", 1): return .present(layers.routes[0].route, style: .fullScreen)
        case ("select", 1): return .select(layers.routes[0].route)
        case ("show", _): return layers.navigation
        default: return nil
        }
    }
}
