/// What is shown, as routes, and what waits.
///
/// An app with tabs names their roots, and each tab keeps its stack while another one is selected:
///
/// ```swift
/// Router(RouterState(tabs: [RouterTab(.home), RouterTab(.search), RouterTab(.profile)]))
/// ```
public struct RouterState<R: Route>: Hashable, Sendable {
    /// The tabs in the order of the tab bar. Empty for an app without tabs.
    ///
    /// Invariant: roots differ, and ``tab`` is one of them if there is any.
    public internal(set) var tabs: [RouterTab<R>]
    /// The root of the selected tab. Nil for an app without tabs.
    public internal(set) var tab: R?
    /// The stack of an app without tabs.
    private var untabbed: [R] = []
    /// The modals, from the lowest to the uppermost. They cover the tabs.
    public internal(set) var modals: [Modal<R>]
    /// A navigation that a guard holds.
    public internal(set) var held: HeldNavigation<R>?

    /// The state of an app without tabs.
    public init(stack: [R] = [], modals: [Modal<R>] = []) {
        tabs = []
        untabbed = stack
        self.modals = modals
    }

    /// The state of an app with tabs.
    ///
    /// - Parameter tab: the root of the selected tab. By default the first is selected.
    /// - Precondition: roots differ, and the selected one is among them.
    public init(tabs: [RouterTab<R>], tab: R? = nil, modals: [Modal<R>] = []) {
        self.tabs = tabs
        self.tab = tab ?? tabs.first?.root
        self.modals = modals
        precondition(
            Set(tabs.map(\.root)).count == tabs.count && (self.tab == nil || hasTab(self.tab)),
            "expected tabs of different routes and one of them selected, found \(tabs.map(\.root)), "
                + "\(self.tab.map { "\($0)" } ?? "none") selected")
    }

    /// What was pushed: on the selected tab, or on the root of an app without tabs, which is no
    /// route.
    public internal(set) var stack: [R] {
        get { tab.flatMap(stack(ofTab:)) ?? untabbed }
        set { setStack(newValue, ofTab: tab) }
    }

    /// The route that is visible. Nil if nothing is over the root of an app without tabs.
    public var visible: R? {
        guard let modal = modals.last else { return stack.last ?? tab }
        return modal.stack.last ?? modal.root
    }
}

extension RouterState {
    func hasTab(_ root: R?) -> Bool { root.flatMap(stack(ofTab:)) != nil }

    /// Nil if there is no such tab.
    func stack(ofTab root: R) -> [R]? { tabs.first { $0.root == root }?.stack }

    mutating func setStack(_ stack: [R], ofTab root: R?) {
        if let index = tabs.firstIndex(where: { $0.root == root }) {
            tabs[index].stack = stack
        } else {
            untabbed = stack
        }
    }

    /// The same tabs, with nothing pushed, presented or held.
    var emptied: Self {
        var state = self
        for index in tabs.indices { state.tabs[index].stack = [] }
        (state.untabbed, state.modals, state.held) = ([], [], nil)
        return state
    }

    /// Whether the user sees the same.
    func shows(_ other: Self) -> Bool { tab == other.tab && stack == other.stack && modals == other.modals }
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
