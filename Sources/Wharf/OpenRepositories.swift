internal import Synchronization

/// What ends with a stack.
final class OpenRepositories: Sendable {
    private struct State {
        var closings: [@Sendable () -> Void] = []
        var endings: [@Sendable () async -> Void] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Neither may hold on to the repository.
    ///
    /// - Parameters:
    ///   - close: called at once when the stack is closed already.
    ///   - end: keeps all that comes late out of the store.
    func add(_ close: @escaping @Sendable () -> Void, end: (@Sendable () async -> Void)? = nil) {
        let isClosed = state.withLock { state in
            if let end { state.endings.append(end) }
            if !state.isClosed { state.closings.append(close) }
            return state.isClosed
        }
        if isClosed { close() }
    }

    func close() {
        let closings = state.withLock { state in
            defer { (state.closings, state.isClosed) = ([], true) }
            return state.closings
        }
        for close in closings { close() }
    }

    /// Returns when nothing more goes into a store.
    func end() async {
        for end in state.withLock({ $0.endings }) { await end() }
    }
}
