/// The shown and held routes of a router, as text with one link per line.
///
/// Unselected tabs come first, each with its stack. The selected tab follows, with its stack and
/// the modals that cover it:
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
    /// The text, for ``Router/restore(_:)``.
    public internal(set) var text = ""
    /// The reasons why routes are missing from the text.
    public internal(set) var failures: [RoutingError] = []
}

/// Routes in the order in which they cover each other, from bottom to top.
struct Layers<R: Route> {
    enum Kind: String {
        /// A route pushed on the stack, or on the modal before it.
        case push
        /// A sheet.
        case modal
        /// A full-screen modal.
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

/// The text format of a held navigation: its kind, and its routes in later lines.
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

    /// Returns nil if ``write(_:)`` did not make the lines.
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
