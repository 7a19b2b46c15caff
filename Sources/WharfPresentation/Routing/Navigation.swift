/// A way to go somewhere.
public enum Navigation<R: Route>: Hashable, Sendable {
    /// Puts a route on top: of the uppermost modal, or else of the stack of the selected tab.
    case push(R)
    /// Presents a route over everything.
    case present(R, style: ModalStyle = .sheet)
    /// Selects a tab, with all that was pushed on it before. Modals are dismissed.
    case select(R)
    /// Replaces the stack and the modals. With a tab, selects it and replaces its stack.
    case show([R], tab: R? = nil, modals: [Modal<R>] = [])
}

/// How a modal covers what is below it.
public enum ModalStyle: String, Hashable, Sendable, CaseIterable {
    /// A sheet, which the user can pull down.
    case sheet
    /// A cover of the whole screen. On macOS it is shown as a sheet.
    case fullScreen
}

/// A modal screen and what was pushed on it.
public struct Modal<R: Route>: Hashable, Sendable, Identifiable {
    /// The route that is presented.
    public var root: R
    /// How it covers what is below.
    public var style: ModalStyle
    /// The routes that were pushed on it.
    public var stack: [R]

    /// A modal with what was pushed on it.
    public init(_ root: R, style: ModalStyle = .sheet, stack: [R] = []) {
        self.root = root
        self.style = style
        self.stack = stack
    }

    /// The root: for `sheet(item:)`, whatever was pushed on the modal.
    public var id: R { root }
}

/// A tab and what was pushed on it.
public struct RouterTab<R: Route>: Hashable, Sendable, Identifiable {
    /// The route that the tab shows at first. It tells the tab apart from others.
    public let root: R
    /// The routes that were pushed on it.
    public internal(set) var stack: [R]

    /// A tab with what was pushed on it.
    public init(_ root: R, stack: [R] = []) {
        self.root = root
        self.stack = stack
    }

    /// The root.
    public var id: R { root }
}

/// What a router is about to do.
public struct NavigationEvent<R: Route>: Hashable, Sendable {
    /// The route that is visible before; nil if nothing is over the root of an app without tabs.
    public let from: R?
    public let to: R?
    /// The link that leads there, as it came: with the query items that the route does not know.
    public let link: Link?
}
