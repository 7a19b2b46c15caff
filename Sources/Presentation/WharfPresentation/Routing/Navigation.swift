/// A change of the routes that a router shows.
public enum Navigation<R: Route>: Hashable, Sendable {
    /// Pushes a route onto the topmost modal, or else onto the selected tab.
    case push(R)
    /// Presents a route as a modal above everything.
    case present(R, style: ModalStyle = .sheet)
    /// Selects a tab with its stack as it was, and dismisses all modals.
    case select(R)
    /// Replaces the stack and the modals. With a tab, selects it and replaces its stack.
    case show([R], tab: R? = nil, modals: [Modal<R>] = [])
}

/// The way in which a modal covers the screen below it.
public enum ModalStyle: String, Hashable, Sendable, CaseIterable {
    /// A sheet, which the user can swipe down.
    case sheet
    /// A cover of the whole screen. On macOS it is shown as a sheet.
    case fullScreen
}

/// A modal screen and the routes pushed on it.
public struct Modal<R: Route>: Hashable, Sendable, Identifiable {
    /// The presented route.
    public var root: R
    /// The way in which it covers the screen below.
    public var style: ModalStyle
    /// The routes pushed on the modal, from bottom to top.
    public var stack: [R]

    /// Creates a modal.
    public init(_ root: R, style: ModalStyle = .sheet, stack: [R] = []) {
        self.root = root
        self.style = style
        self.stack = stack
    }

    /// The root, as the identity for `sheet(item:)`: it does not change with the stack.
    public var id: R { root }
}

/// A tab and the routes pushed on it.
public struct RouterTab<R: Route>: Hashable, Sendable, Identifiable {
    /// The route that the tab shows first. It identifies the tab.
    public let root: R
    /// The routes pushed on the tab, from bottom to top.
    public internal(set) var stack: [R]

    /// Creates a tab.
    public init(_ root: R, stack: [R] = []) {
        self.root = root
        self.stack = stack
    }

    /// The root, which identifies the tab.
    public var id: R { root }
}

/// A change of the visible route that a router is about to make.
public struct NavigationEvent<R: Route>: Hashable, Sendable {
    /// The route visible before; nil if an app without tabs shows only its root.
    public let from: R?
    /// The route visible after; nil if an app without tabs shows only its root.
    public let to: R?
    /// The link that caused it, including query items that the route does not know.
    public let link: Link?
}
