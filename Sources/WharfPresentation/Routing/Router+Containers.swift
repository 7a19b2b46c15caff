/// What navigation containers show, and write when somebody swipes back or pulls a sheet down.
///
/// Ways back are taken as they are: they have been seen already. About what is new the guards are asked; where they do not let
/// it be shown, the container is told to look again.
extension Router {
    public var stack: [R] {
        get { state.stack }
        set { take(newValue, state.modals) }
    }

    /// From the lowest to the uppermost. One that comes to stand elsewhere is new to the guards; ``modal`` takes those over it along.
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

    private func take(_ stack: [R], _ modals: [Modal<R>]) {
        tellingFailure { () throws(RoutingError) in
            let before = state
            do throws(RoutingError) {
                let outcome = try go(navigation(to: stack, modals))
                // A container shows what it has written; nobody told it that this is not so.
                if state == before, (stack, modals) != (state.stack, state.modals) { showAgain() }
                if case .held(let dropped?) = outcome, dropped.navigation != state.held?.navigation {
                    onFailure(.leftOut(dropped))
                }
            } catch {
                if error.code != .alreadyNavigating { showAgain() }
                throw error
            }
        }
    }

    /// What was put on top is a push, or a modal over everything: while it is held, what lies below may change.
    private func navigation(to stack: [R], _ modals: [Modal<R>]) -> Navigation<R> {
        let whole = RouterState(stack: stack, modals: modals)
        if let top = whole.visible {
            for navigation in [Navigation.push(top), .present(top)] {
                var next = RouterState(stack: state.stack, modals: state.modals)
                next.apply(navigation)
                if next == whole { return navigation }
            }
        }
        return .show(stack, modals: modals)
    }
}
