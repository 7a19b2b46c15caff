extension Router {
    /// What is shown and held, to be kept for the next start. The link by which something held came
    /// is not kept.
    public func save() -> SavedRoutes { SavedRoutes(state, links) }

    /// Shows what was saved, in place of what is shown now, as far as the guards allow today.
    ///
    /// The tabs are those of this router. Each tab that is not selected is restored by itself: what
    /// a guard holds there is left out.
    ///
    /// What a guard holds is held as a whole, and shown by ``resume()``; what was held is gone to
    /// again. Where a route can't be restored, those that were reached through it are left out with
    /// it.
    ///
    /// - Parameter text: of ``SavedRoutes``.
    /// - Returns: why routes are not shown, in their order. Empty when all is as it was saved.
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

    /// - Returns: false when a guard holds it.
    private func show(_ saved: ReadRoutes<R>, _ failures: inout [RoutingError]) -> Bool {
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
                    failures += routes.dropFirst(index + 1).map { .leftOut("\($0.route)", error) }
                }
                break
            }
        }
        commit(next)
        return true
    }

    /// The stack of a tab that is not selected, up to a route that the guards do not allow now.
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
                        + "which is not selected; go there again when the guard allows it")
            }
            failures.append(cause)
            let over = state.hasTab(tab.root) ? tab.stack.dropFirst(stack.count + 1) : tab.stack[...]
            failures += over.map { .leftOut("\($0)", cause) }
        }
        return stack
    }
}
