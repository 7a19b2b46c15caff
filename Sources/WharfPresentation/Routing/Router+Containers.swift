/// What navigation containers show, and write when somebody swipes back or pulls a sheet down.
///
/// Ways back are taken as they are: they have been seen already. About what is new the guards are asked; where they do not let
/// it be shown, the container is told to look again.
extension Router {
    public var stack: [R] {
        get { state.stack }
        set { take(.show(newValue, modals: state.modals)) }
    }

    /// From the lowest to the uppermost. One that goes away takes those over it along.
    public var modals: [Modal<R>] {
        get { state.modals }
        set { take(.show(state.stack, modals: newValue)) }
    }

    /// The lowest one. Set to nil, or to another one, those over it go too.
    public var modal: Modal<R>? {
        get { state.modals.first }
        set {
            guard let newValue else { return modals = [] }
            modals = [newValue] + (newValue.root == modal?.root ? modals.dropFirst() : [])
        }
    }

    private func take(_ navigation: Navigation<R>) {
        tellingFailure { () throws(RoutingError) in
            do throws(RoutingError) {
                try go(navigation)
            } catch {
                if error.code != .alreadyNavigating { showAgain() }
                throw error
            }
        }
    }
}
