extension RouterState {
    mutating func apply(_ navigation: Navigation<R>) {
        switch navigation {
        case .push(let route):
            if modals.isEmpty { stack.append(route) } else { modals[modals.count - 1].stack.append(route) }
        case .present(let route, let style): modals.append(Modal(route, style: style))
        case .select(let root): (tab, modals) = (root, [])
        case .show(let stack, let root, let modals):
            tab = root ?? tab
            (self.stack, self.modals) = (stack, modals)
        }
    }

    /// Holds a navigation in place of the one held before.
    ///
    /// The newest wins, because a second link is the newer wish.
    ///
    /// - Returns: the navigation that was held before, and is dropped.
    mutating func hold(_ navigation: Navigation<R>, link: Link?, presenting modal: Modal<R>?) -> HeldNavigation<R>? {
        // Before the earlier hold ends, whose cover it compares.
        let navigation = withoutCover(navigation)
        let earlier = takeHeld()
        held = HeldNavigation(
            navigation: navigation, link: link, cover: modal.map { .init(depth: modals.count, route: $0.root) })
        if let modal { modals.append(modal) }
        return earlier
    }

    /// Returns the navigation without the cover.
    ///
    /// A container that changes routes below the cover sets the cover too. The cover is not part of
    /// the destination.
    private func withoutCover(_ navigation: Navigation<R>) -> Navigation<R> {
        guard case .show(let stack, let tab, let modals) = navigation, let depth = coverDepth, depth < modals.count,
            modals[depth].root == self.modals[depth].root
        else { return navigation }
        return .show(stack, tab: tab, modals: Array(modals.prefix(depth)))
    }

    /// Ends the hold: dismisses the cover and all modals above it.
    mutating func takeHeld() -> HeldNavigation<R>? {
        defer { held = nil }
        // The modals above the cover belong to the flow that it began.
        if let depth = coverDepth { modals.removeSubrange(depth...) }
        return held
    }

    /// The index of the cover among the modals; nil if it is not shown.
    var coverDepth: Int? {
        guard let cover = held?.cover, cover.depth < modals.count, modals[cover.depth].root == cover.route else {
            return nil
        }
        return cover.depth
    }

    mutating func pop() {
        if modals.isEmpty { _ = stack.popLast() } else { _ = modals[modals.count - 1].stack.popLast() }
    }

    mutating func popToRoot() {
        if modals.isEmpty { stack = [] } else { modals[modals.count - 1].stack = [] }
    }

    mutating func dismiss() { _ = modals.popLast() }

    /// Returns the navigation with `change` applied to each new route, bottom up.
    func admitting(
        _ navigation: Navigation<R>, _ change: (R) throws(Obstacle<R>) -> R
    ) throws(Obstacle<R>) -> Navigation<R> {
        switch navigation {
        case .push(let route): return .push(try change(route))
        case .present(let route, let style): return .present(try change(route), style: style)
        case .select(let root): return .select(try admitting(tab: root, change))
        case .show(let stack, let root, let modals):
            let newRoot =
                root == tab ? root : try root.map { root throws(Obstacle<R>) in try admitting(tab: root, change) }
            let old = newRoot.flatMap(self.stack(ofTab:)) ?? self.stack
            let newStack = try Self.admitting(stack, over: old, change)
            var newModals: [Modal<R>] = []
            for (index, modal) in modals.enumerated() {
                let old = index < self.modals.count ? self.modals[index] : nil
                let routes = try Self.admitting(
                    [modal.root] + modal.stack, over: old.map { [$0.root] + $0.stack } ?? [], change)
                newModals.append(Modal(routes[0], style: modal.style, stack: Array(routes.dropFirst())))
            }
            return .show(newStack, tab: newRoot, modals: newModals)
        }
    }

    /// - Throws: ``RoutingError/Code/unknownTab`` if the root, or the route that a guard has
    ///   redirected it to, is not a tab.
    func admitting(tab root: R, _ change: (R) throws(Obstacle<R>) -> R) throws(Obstacle<R>) -> R {
        guard hasTab(root) else { throw .failure(.unknownTab(root, tabs)) }
        let admitted = try change(root)
        guard hasTab(admitted) else { throw .failure(.unknownTab(admitted, tabs)) }
        return admitted
    }

    private static func admitting(
        _ routes: [R], over old: [R], _ change: (R) throws(Obstacle<R>) -> R
    ) throws(Obstacle<R>) -> [R] {
        // The common start is shown already. Asked again, a guard that has changed its mind would
        // refuse a pop.
        let known = zip(routes, old).prefix { $0 == $1 }.count
        return try Array(routes.prefix(known))
            + routes.dropFirst(known).map { route throws(Obstacle<R>) in try change(route) }
    }
}

extension RoutingError {
    static func unknownTab<R>(_ root: R, _ tabs: [RouterTab<R>]) -> RoutingError {
        RoutingError(
            .unknownTab,
            message: "\(root) can't be selected, because it is not one of the tabs \(tabs.map(\.root)); "
                + "push it, or add it to the tabs of the router's state")
    }
}
