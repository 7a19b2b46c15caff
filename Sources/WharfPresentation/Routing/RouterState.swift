/// What is shown, as routes, and what waits.
public struct RouterState<R: Route>: Hashable, Sendable {
    /// What was pushed on the root, which is no route itself.
    public internal(set) var stack: [R] = []
    /// From the lowest to the uppermost.
    public internal(set) var modals: [Modal<R>] = []
    /// A navigation that a guard holds.
    public internal(set) var held: HeldNavigation<R>?

    public init(stack: [R] = [], modals: [Modal<R>] = []) {
        self.stack = stack
        self.modals = modals
    }

    /// The route that is to be seen; nil where nothing is over the root.
    public var visible: R? {
        guard let modal = modals.last else { return stack.last }
        return modal.stack.last ?? modal.root
    }
}

/// A navigation that waits for somebody to sign in, or the like.
public struct HeldNavigation<R: Route>: Hashable, Sendable {
    public let navigation: Navigation<R>
    /// The link that asked for it, where one did.
    public let link: Link?
    /// The modal that is shown meanwhile: how many are below it, and what it is.
    let cover: Cover?

    struct Cover: Hashable, Sendable {
        let depth: Int
        let route: R
    }
}

extension RouterState {
    mutating func apply(_ navigation: Navigation<R>) {
        switch navigation {
        case .push(let route):
            if modals.isEmpty { stack.append(route) } else { modals[modals.count - 1].stack.append(route) }
        case .present(let route): modals.append(Modal(route))
        case .show(let stack, let modals): (self.stack, self.modals) = (stack, modals)
        }
    }

    /// The newest wins: who opens a second link wants that one.
    ///
    /// - Returns: what was held before, and is no longer.
    mutating func hold(_ navigation: Navigation<R>, link: Link?, presenting route: R?) -> HeldNavigation<R>? {
        let navigation = withoutCover(navigation)
        let earlier = takeHeld()
        held = HeldNavigation(
            navigation: navigation, link: link, cover: route.map { .init(depth: modals.count, route: $0) })
        if let route { modals.append(Modal(route)) }
        return earlier
    }

    /// A container that changes what lies below the cover writes the cover, too. It is no part of what is to be gone to.
    private func withoutCover(_ navigation: Navigation<R>) -> Navigation<R> {
        guard case .show(let stack, let modals) = navigation, let depth = coverDepth, depth < modals.count,
            modals[depth].root == self.modals[depth].root
        else { return navigation }
        return .show(stack, modals: Array(modals.prefix(depth)))
    }

    /// Ends the holding: what was shown meanwhile goes, with all that is over it.
    mutating func takeHeld() -> HeldNavigation<R>? {
        defer { held = nil }
        if let depth = coverDepth { modals.removeSubrange(depth...) }
        return held
    }

    /// Where the cover is, while it is there.
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

    /// With `change` made to each route that is not there already, in the order in which they lie.
    func admitting(
        _ navigation: Navigation<R>, _ change: (R) throws(Obstacle<R>) -> R
    ) throws(Obstacle<R>) -> Navigation<R> {
        switch navigation {
        case .push(let route): return .push(try change(route))
        case .present(let route): return .present(try change(route))
        case .show(let stack, let modals):
            let newStack = try Self.admitting(stack, over: self.stack, change)
            var newModals: [Modal<R>] = []
            for (index, modal) in modals.enumerated() {
                let old = index < self.modals.count ? self.modals[index] : nil
                let routes = try Self.admitting(
                    [modal.root] + modal.stack, over: old.map { [$0.root] + $0.stack } ?? [], change)
                newModals.append(Modal(routes[0], stack: Array(routes.dropFirst())))
            }
            return .show(newStack, modals: newModals)
        }
    }

    private static func admitting(
        _ routes: [R], over old: [R], _ change: (R) throws(Obstacle<R>) -> R
    ) throws(Obstacle<R>) -> [R] {
        let known = zip(routes, old).prefix { $0 == $1 }.count
        return try Array(routes.prefix(known))
            + routes.dropFirst(known).map { route throws(Obstacle<R>) in try change(route) }
    }
}
