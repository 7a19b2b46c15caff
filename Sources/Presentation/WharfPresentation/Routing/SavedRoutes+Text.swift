extension SavedRoutes {
    init<R>(_ state: RouterState<R>, _ links: RouteTable<R>) {
        // The cover is not saved: it comes back when a guard holds the navigation again.
        let modals = state.coverDepth.map { state.modals.prefix($0) } ?? state.modals[...]
        let others = state.tabs.filter { $0.root != state.tab && !$0.stack.isEmpty }
        for layers in others.map(Layers.init) + [Layers(tab: state.tab, state.stack, modals)] {
            let (lines, failures) = Self.lines(layers, links)
            text += lines.joined()
            self.failures += failures
        }
        guard let (name, layers) = (state.held?.navigation).map(SavedNavigation.write) else { return }
        let held = Self.lines(layers, links)
        self.failures += held.failures
        // A held navigation is saved as a whole or not at all: a part of it has another
        // destination.
        if held.failures.isEmpty { text += SavedNavigation<R>.mark + name + "\n" + held.lines.joined() }
    }

    /// Writes the routes up to the first without a link. Those above it were reached through it.
    private static func lines<R>(
        _ layers: Layers<R>, _ links: RouteTable<R>
    ) -> (lines: [String], failures: [RoutingError]) {
        var lines: [String] = []
        for (kind, route) in layers.routes {
            do throws(RoutingError) {
                lines.append("\(kind.rawValue) \(try links.link(to: route))\n")
            } catch {
                let over = layers.routes.dropFirst(lines.count + 1).map { RoutingError.leftOut("\($0.route)", error) }
                return (lines, [error] + over)
            }
        }
        return (lines, [])
    }
}

/// A parsed saved state.
struct ReadRoutes<R: Route> {
    /// The unselected tabs with their stacks.
    private(set) var others: [RouterTab<R>] = []
    private(set) var shown = Layers<R>()
    private(set) var held: Navigation<R>?
    private(set) var failures: [RoutingError] = []

    init(_ text: String, _ links: RouteTable<R>) {
        let lines = text.split(whereSeparator: \.isNewline)
        let mark = SavedNavigation<R>.mark
        // The lines after the mark are those of the held navigation.
        let end = lines.firstIndex { $0.hasPrefix(mark) } ?? lines.endIndex
        var rest = lines[..<end]
        while rest.first?.isTab == true {
            let next = rest.dropFirst().firstIndex { $0.isTab || $0.isSelected } ?? rest.endIndex
            let routes = layers(rest[..<next], links).routes.map(\.route)
            // If the root cannot be parsed, `layers` has already reported it and the routes above
            // it.
            if let root = routes.first { others.append(RouterTab(root, stack: Array(routes.dropFirst()))) }
            rest = rest[next...]
        }
        shown = layers(rest, links)
        guard end < lines.endIndex else { return }
        let before = failures.count
        let layers = layers(lines[lines.index(after: end)...], links)
        // A held navigation with a missing route would lead elsewhere.
        guard failures.count == before else { return }
        held = SavedNavigation.read(lines[end].dropFirst(mark.count), layers)
        if held == nil { failures.append(.invalidSavedState(lines[end])) }
    }

    private mutating func layers(_ lines: ArraySlice<Substring>, _ links: RouteTable<R>) -> Layers<R> {
        var layers = Layers<R>()
        for (index, line) in zip(lines.indices, lines) {
            do throws(RoutingError) {
                let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, let kind = Layers<R>.Kind(rawValue: String(parts[0])),
                    index == lines.startIndex || ![.tab, .selected].contains(kind)
                else {
                    throw RoutingError.invalidSavedState(line)
                }
                layers.append(kind, try links.route(for: Link(String(parts[1]))))
            } catch {
                failures.append(error)
                failures += lines[(index + 1)...].map { .leftOut("\"\($0.withoutQuery)\"", error) }
                break
            }
        }
        return layers
    }
}

extension RoutingError {
    static func leftOut(_ route: String, _ cause: RoutingError) -> RoutingError {
        RoutingError(
            .leftOut,
            message: "\(route) is left out, because the route before it can't be saved or restored; see the cause",
            cause: cause)
    }

    static func leftOut(_ held: HeldNavigation<some Route>) -> RoutingError {
        RoutingError(
            .leftOut,
            message: "\(held.navigation) is left out, because a router holds one navigation at a time; "
                + "resume or restore it before the next one")
    }

    fileprivate static func invalidSavedState(_ line: Substring) -> RoutingError {
        RoutingError(
            .invalidSavedState,
            message: "expected lines such as \"push https://example.com/film/42\", found \"\(line.withoutQuery)\"; "
                + "restore the text that save() returned")
    }
}

extension Substring {
    fileprivate var isTab: Bool { hasPrefix("tab ") }
    fileprivate var isSelected: Bool { hasPrefix("selected ") }

    /// The line without query and fragment, whose values must not appear in messages.
    fileprivate var withoutQuery: Substring { prefix { $0 != "?" && $0 != "#" } }
}
