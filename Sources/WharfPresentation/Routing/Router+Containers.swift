/// What navigation containers show, and write when somebody swipes back or pulls a sheet down.
///
/// Ways back are taken as they are: they have been seen already. About what is new the guards are
/// asked; where they do not let it be shown, the container is told to look again.
extension Router {
    /// The routes that were pushed on the selected tab, or on the root of an app without tabs.
    public var stack: [R] {
        get { state.stack }
        set { take(newValue, state.modals) }
    }

    /// From the lowest to the uppermost. One that comes to stand elsewhere is new to the guards;
    /// ``modal`` takes those over it along.
    public var modals: [Modal<R>] {
        get { state.modals }
        set { take(state.stack, newValue) }
    }

    /// The lowest one. Set to nil, or to another one, those over it go too.
    public var modal: Modal<R>? {
        get { state.modals.first }
        set {
            guard let newValue else { return modals = [] }
            modals = [newValue] + (newValue.root == modal?.root ? modals.dropFirst() : [])
        }
    }

    /// The root of the selected tab: `TabView(selection: $router.tab)`. Nil is not taken.
    public var tab: R? {
        get { state.tab }
        set {
            guard let newValue, newValue != state.tab else { return }
            take(.select(newValue)) { $0.tab == newValue }
        }
    }

    /// The routes that were pushed on a tab: each tab has a navigation container of its own.
    ///
    /// A way back on a tab that is not selected is taken as it is. A push on it selects it.
    public subscript(tab root: R) -> [R] {
        get { state.stack(ofTab: root) ?? [] }
        set {
            guard root != state.tab, state.hasTab(root) else {
                if root == state.tab { stack = newValue }
                return
            }
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

    /// - Parameter isShown: whether a state is what the container shows.
    private func take(_ navigation: Navigation<R>, _ isShown: (RouterState<R>) -> Bool) {
        tellingFailure { () throws(RoutingError) in
            let before = state
            do throws(RoutingError) {
                let outcome = try go(navigation)
                // The container shows what it has written. Without this it would never learn that
                // a guard holds the navigation.
                if state == before, !isShown(state) { showAgain() }
                if case .held(let dropped?) = outcome, dropped.navigation != state.held?.navigation {
                    onFailure(.leftOut(dropped))
                }
            } catch {
                if error.code != .alreadyNavigating { showAgain() }
                throw error
            }
        }
    }

    /// What was put on top is a push, or a modal over everything: while it is held, what lies below
    /// may change.
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
