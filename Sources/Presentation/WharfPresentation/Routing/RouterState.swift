/// The shown routes of an app, and a held navigation.
///
/// An app with tabs names their roots. Each tab keeps its stack while another is selected:
///
/// ```swift
/// Router(RouterState(tabs: [RouterTab(.home), RouterTab(.search), RouterTab(.profile)]))
/// ```
public struct RouterState<R: Route>: Hashable, Sendable {
    /// The tabs, in the order of the tab bar. Empty for an app without tabs.
    ///
    /// Invariant: roots are unique, and ``tab`` is one of them if there are any.
    public internal(set) var tabs: [RouterTab<R>]
    /// The root of the selected tab; nil for an app without tabs.
    public internal(set) var tab: R?
    /// The stack of an app without tabs.
    private var untabbed: [R] = []
    /// The modals, from bottom to top. They cover the tabs.
    public internal(set) var modals: [Modal<R>]
    /// The navigation that a guard holds; nil if there is none.
    public internal(set) var held: HeldNavigation<R>?

    /// Creates the state of an app without tabs.
    public init(stack: [R] = [], modals: [Modal<R>] = []) {
        tabs = []
        untabbed = stack
        self.modals = modals
    }

    /// Creates the state of an app with tabs.
    ///
    /// - Parameter tab: the root of the selected tab. By default the first is selected.
    /// - Precondition: roots are unique, and the selected one is among them.
    public init(tabs: [RouterTab<R>], tab: R? = nil, modals: [Modal<R>] = []) {
        self.tabs = tabs
        self.tab = tab ?? tabs.first?.root
        self.modals = modals
        precondition(
            Set(tabs.map(\.root)).count == tabs.count && (self.tab == nil || hasTab(self.tab)),
            "the tabs of a router need different roots, and one of them is selected; the tabs are \(tabs.map(\.root)), "
                + "and \(self.tab.map { "\($0)" } ?? "none") is selected")
    }

    /// The routes pushed on the selected tab, or on the root of an app without tabs.
    ///
    /// The root of an app without tabs is not a route itself.
    public internal(set) var stack: [R] {
        get { tab.flatMap(stack(ofTab:)) ?? untabbed }
        set { setStack(newValue, ofTab: tab) }
    }

    /// The visible route; nil if an app without tabs shows only its root.
    public var visible: R? {
        guard let modal = modals.last else { return stack.last ?? tab }
        return modal.stack.last ?? modal.root
    }
}

extension RouterState {
    func hasTab(_ root: R?) -> Bool { root.flatMap(stack(ofTab:)) != nil }

    /// Returns the stack of a tab; nil if it does not exist.
    func stack(ofTab root: R) -> [R]? { tabs.first { $0.root == root }?.stack }

    mutating func setStack(_ stack: [R], ofTab root: R?) {
        if let index = tabs.firstIndex(where: { $0.root == root }) {
            tabs[index].stack = stack
        } else {
            untabbed = stack
        }
    }

    /// The state with the same tabs, and nothing pushed, presented or held.
    var emptied: Self {
        var state = self
        for index in tabs.indices { state.tabs[index].stack = [] }
        (state.untabbed, state.modals, state.held) = ([], [], nil)
        return state
    }

    /// Returns whether the user sees the same in both states.
    func shows(_ other: Self) -> Bool { tab == other.tab && stack == other.stack && modals == other.modals }
}

/// A navigation that waits, for example until the user has signed in.
public struct HeldNavigation<R: Route>: Hashable, Sendable {
    /// The navigation to perform on ``Router/resume()``.
    public let navigation: Navigation<R>
    /// The link that caused it; nil if it was no link.
    public let link: Link?
    /// The modal shown meanwhile: the number of modals below it, and its route.
    let cover: Cover?

    struct Cover: Hashable, Sendable {
        let depth: Int
        let route: R
    }
}
