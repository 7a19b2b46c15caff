internal import Synchronization

/// What ends with a stack.
final class OpenRepositories: Sendable {
    private struct State {
        var closings: [@Sendable () -> Void] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// - Parameter close: must not hold on to the repository. Called at once when the stack is closed already.
    func add(_ close: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.closings.append(close) }
            return state.isClosed
        }
        if isClosed { close() }
    }

    func close() {
        let closings = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.closings
        }
        for close in closings { close() }
    }
}
