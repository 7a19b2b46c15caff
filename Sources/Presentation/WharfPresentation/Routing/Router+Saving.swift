extension Router {
    /// Returns the shown and the held routes as text, for the next start.
    ///
    /// The link that caused a held navigation is not saved.
    public func save() -> SavedRoutes { SavedRoutes(state, links) }

    /// Replaces the shown routes by saved ones, as far as the guards allow them now.
    ///
    /// - The tabs are those of this router. Each tab that is not selected is restored separately. A
    ///   route there that a guard holds is left out.
    /// - If a guard holds another route, it holds the saved routes as a whole, and ``resume()``
    ///   shows them.
    /// - A saved held navigation is started again.
    /// - If a route cannot be restored, the routes reached through it are left out too.
    ///
    /// - Parameter text: the text of ``SavedRoutes``.
    /// - Returns: the reasons why routes are missing, in their order. Empty if everything is
    ///   restored.
    public func restore(_ text: String) -> [RoutingError] {
        let saved = ReadRoutes(text, links)
        var failures = saved.failures
        do throws(RoutingError) {
            try alone { () throws(RoutingError) in
                if let held = state.held { failures.append(.leftOut(held)) }
                let isShown = show(saved, &failures)
                guard let held = saved.held else { return }
                guard isShown else {
                    failures.append(.leftOut(HeldNavigation(navigation: held, link: nil, cover: nil)))
                    return
                }
                _ = try go(held, link: nil, from: state)
            }
        } catch {
            failures.append(error)
        }
        return failures
    }

    /// Shows the saved routes.
    ///
    /// - Returns: false if a guard holds them.
    private func show(_ saved: ReadRoutes<R>, _ failures: inout [RoutingError]) -> Bool {
        // Built aside and committed once: observers see no half-restored state.
        var next = state.emptied
        let guards = guards
        for tab in saved.others {
            next.setStack(admitted(tab, in: next, guards, &failures), ofTab: tab.root)
        }
        let routes = saved.shown.routes
        for (index, (kind, route)) in routes.enumerated() {
            do throws(Obstacle<R>) {
                let navigation = Layers.navigation(to: route, as: kind)
                next.apply(
                    try next.admitting(navigation) { route throws(Obstacle<R>) in try guards.admit(route) })
            } catch {
                switch error {
                case .hold(let presenting):
                    _ = next.hold(saved.shown.navigation, link: nil, presenting: presenting)
                    commit(next)
                    return false
                case .failure(let error):
                    failures.append(error)
                    // A route above one that is not shown would stand on another screen than
                    // before.
                    failures += routes.dropFirst(index + 1).map { .leftOut("\($0.route)", error) }
                }
                break
            }
        }
        commit(next)
        return true
    }

    /// Returns the stack of an unselected tab, up to a route that is not allowed now.
    private func admitted(
        _ tab: RouterTab<R>, in state: RouterState<R>, _ guards: [RouteGuard<R>], _ failures: inout [RoutingError]
    ) -> [R] {
        var stack: [R] = []
        do throws(Obstacle<R>) {
            guard state.hasTab(tab.root) else { throw .failure(.unknownTab(tab.root, state.tabs)) }
            for route in tab.stack { stack.append(try guards.admit(route)) }
        } catch {
            let cause: RoutingError
            switch error {
            case .failure(let error): cause = error
            case .hold:
                cause = RoutingError(
                    .leftOut,
                    message: "\(tab.stack[stack.count]) is left out, because a guard holds it on the tab \(tab.root), "
                        + "which is not selected; navigate there again when the guard allows it")
            }
            failures.append(cause)
            let over = state.hasTab(tab.root) ? tab.stack.dropFirst(stack.count + 1) : tab.stack[...]
            failures += over.map { .leftOut("\($0)", cause) }
        }
        return stack
    }
}
