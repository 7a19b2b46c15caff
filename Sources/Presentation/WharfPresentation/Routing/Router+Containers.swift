/// The properties that navigation containers show and set.
///
/// Containers set them when the user swipes back or dismisses a sheet.
///
/// A change that only removes routes is taken without asking guards, because the remaining routes
/// have been shown before. Guards check routes that are new. If they do not allow one, the router
/// publishes its state again, so that the container reverts.
extension Router {
    /// The routes pushed on the selected tab, or on the root of an app without tabs.
    public var stack: [R] {
        get { state.stack }
        set { take(newValue, state.modals) }
    }

    /// The modals, from bottom to top.
    ///
    /// Guards check a modal that moves to another index like a new one. To replace the lowest modal
    /// together with those above it, set ``modal``.
    public var modals: [Modal<R>] {
        get { state.modals }
        set { take(state.stack, newValue) }
    }

    /// The lowest modal. Setting nil or another modal also dismisses those above it.
    public var modal: Modal<R>? {
        get { state.modals.first }
        set {
            guard let newValue else { return modals = [] }
            modals = [newValue] + (newValue.root == modal?.root ? modals.dropFirst() : [])
        }
    }

    /// The root of the selected tab: `TabView(selection: $router.tab)`. Setting nil has no effect.
    public var tab: R? {
        get { state.tab }
        set {
            guard let newValue, newValue != state.tab else { return }
            take(.select(newValue)) { $0.tab == newValue }
        }
    }

    /// The routes pushed on a tab, for the tab's own navigation container.
    ///
    /// On a tab that is not selected, a pop leaves the selection, and a push selects the tab.
    public subscript(tab root: R) -> [R] {
        get { state.stack(ofTab: root) ?? [] }
        set {
            guard root != state.tab, state.hasTab(root) else {
                if root == state.tab { stack = newValue }
                return
            }
            // A pop: the remaining routes are shown already, so no guard is asked.
            if self[tab: root].starts(with: newValue) {
                goBack { $0.setStack(newValue, ofTab: root) }
            } else {
                take(.show(newValue, tab: root, modals: state.modals)) {
                    $0.tab == root && $0.stack == newValue
                }
            }
        }
    }

    private func take(_ stack: [R], _ modals: [Modal<R>]) {
        take(navigation(to: stack, modals)) { ($0.stack, $0.modals) == (stack, modals) }
    }

    /// - Parameter isShown: returns whether a state equals the content of the container.
    private func take(_ navigation: Navigation<R>, _ isShown: (RouterState<R>) -> Bool) {
        tellingFailure { () throws(RoutingError) in
            let before = state
            do throws(RoutingError) {
                let outcome = try go(navigation)
                // The container already shows the routes that it has set. If a guard holds them,
                // the state may be unchanged, and the container would not revert without a
                // notification.
                if state == before, !isShown(state) { showAgain() }
                if case .held(let dropped?) = outcome, dropped.navigation != state.held?.navigation {
                    onFailure(.leftOut(dropped))
                }
            } catch {
                // The outer navigation will notify the container. A notification in between would
                // make it set its state once more.
                if error.code != .alreadyNavigating { showAgain() }
                throw error
            }
        }
    }

    /// Returns a push or a presentation if the change only adds one route on top.
    ///
    /// A held push or presentation stays valid when the routes below change. A held `show` would
    /// restore the old ones.
    private func navigation(to stack: [R], _ modals: [Modal<R>]) -> Navigation<R> {
        var whole = state
        (whole.stack, whole.modals) = (stack, modals)
        if let top = whole.visible {
            for navigation in [Navigation.push(top), .present(top, style: modals.last?.style ?? .sheet)] {
                var next = state
                next.apply(navigation)
                if next == whole { return navigation }
            }
        }
        return .show(stack, modals: modals)
    }
}
