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

/// The repositories of a stack by their paths.
///
/// A stack has one repository for a path while anything holds it. So two screens share its
/// requests, its models and its refreshes.
final class SharedRepositories: Sendable {
    struct Key: Hashable, Sendable {
        let path: String
        /// The name of the kind; nil for a repository without a store.
        let kind: String?
        let isWriting: Bool
        let payload: ObjectIdentifier
        let model: ObjectIdentifier
    }

    private struct Entry: Sendable {
        weak var repository: (any AnyObject & Sendable)?
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// The open repository of a key, or a new one.
    func repository<Model>(_ key: Key, or make: () -> Repository<Model>) -> Repository<Model> {
        // Made under the lock: a second one would take the first one's place at the outbox.
        entries.withLock { entries in
            if let open = entries[key]?.repository as? Repository<Model>, !open.isClosed { return open }
            entries = entries.filter { $0.value.repository != nil }
            let repository = make()
            entries[key] = Entry(repository: repository)
            return repository
        }
    }
}
