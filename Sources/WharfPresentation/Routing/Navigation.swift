/// A way to go somewhere.
public enum Navigation<R: Route>: Hashable, Sendable {
    /// On top of what is there: of the uppermost modal, or else of the stack.
    case push(R)
    /// As a modal over everything.
    case present(R)
    /// In place of everything, with these modals over it.
    case show([R], modals: [Modal<R>] = [])
}

/// A modal screen and what was pushed on it.
public struct Modal<R: Route>: Hashable, Sendable, Identifiable {
    public var root: R
    public var stack: [R]

    public init(_ root: R, stack: [R] = []) {
        self.root = root
        self.stack = stack
    }

    /// Which modal it is, whatever was pushed on it: for `sheet(item:)`.
    public var id: R { root }
}

/// What a router is about to do.
public struct NavigationEvent<R: Route>: Hashable, Sendable {
    /// The route that is to be seen; nil where nothing is over the root.
    public let from: R?
    public let to: R?
    /// The link that leads there, as it came: with the query items that the route does not know.
    public let link: Link?
}
