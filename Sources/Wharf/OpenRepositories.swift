internal import Synchronization
internal import WharfRepository

/// What ends with a stack.
final class OpenRepositories: Sendable {
    private struct State {
        var closings: [@Sendable () -> Void] = []
        var endings: [RepositoryEnding] = []
        var isClosed = false
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Neither may hold on to the repository.
    ///
    /// - Parameters:
    ///   - close: called at once when the stack is closed already.
    ///   - ending: of its store, where it has one; the same when that was ended.
    func add(_ close: @escaping @Sendable () -> Void, _ ending: RepositoryEnding? = nil) {
        let (isClosed, isEnded) = state.withLock { state in
            if let ending { state.endings.append(ending) }
            if !state.isClosed { state.closings.append(close) }
            return (state.isClosed, state.isEnded)
        }
        if isEnded { ending?.end() }
        if isClosed { close() }
    }

    func close() {
        let closings = state.withLock { state in
            defer { (state.closings, state.isClosed) = ([], true) }
            return state.closings
        }
        for close in closings { close() }
    }

    /// Keeps all that comes late out of the stores, and returns when nothing more goes in.
    func end() async {
        let endings = state.withLock { state in
            state.isEnded = true
            return state.endings
        }
        for ending in endings { ending.end() }
        for ending in endings { await ending.drain() }
    }
}
