extension Router {
    /// What is shown and held, to be kept for the next start. The link by which something held came is not kept.
    public func save() -> SavedRoutes { SavedRoutes(state, links) }

    /// Shows what was saved, in place of what is shown now, as far as the guards allow today.
    ///
    /// What a guard holds is held as a whole, and shown by ``resume()``; what was held is gone to again. Where a route can't be
    /// restored, those that were reached through it are left out with it.
    ///
    /// - Parameter text: of ``SavedRoutes``.
    /// - Returns: why routes are not shown, in their order. Empty when all is as it was saved.
    public func restore(_ text: String) -> [RoutingError] {
        let saved = ReadRoutes(text, links)
        var failures = saved.failures
        do throws(RoutingError) {
            try alone { () throws(RoutingError) in
                if let held = state.held { failures.append(.leftOut(held)) }
                let isShown = show(saved.shown, &failures)
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
    private func show(_ saved: Layers<R>, _ failures: inout [RoutingError]) -> Bool {
        var admitted = Layers<R>()
        var hold: (presenting: R?, Void)?
        for (kind, route) in saved.routes {
            do throws(Obstacle<R>) {
                admitted.append(kind, try guards.admit(route))
            } catch {
                switch error {
                case .hold(let presenting): hold = (presenting, ())
                case .failure(let error):
                    failures.append(error)
                    failures += saved.routes.dropFirst(admitted.routes.count + 1).map { .leftOut("\($0.route)", error) }
                }
                break
            }
        }
        var next = admitted.state
        if let hold {
            _ = next.hold(.show(saved.state.stack, modals: saved.state.modals), link: nil, presenting: hold.presenting)
        }
        commit(next)
        return hold == nil
    }
}
