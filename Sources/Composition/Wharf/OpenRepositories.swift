internal import Synchronization
internal import WharfRepository

/// The repositories that a stack closes with itself.
final class OpenRepositories: Sendable {
    private struct Entry: Sendable {
        weak var repository: (any AnyObject & Sendable)?
        let close: @Sendable () -> Void
        /// nil without a store.
        let ending: RepositoryShutdown?

        /// Whether the repository is released, and none of its late answers can reach the store.
        var isOver: Bool { repository == nil && ending?.isOver() != false }
    }

    private struct State {
        // Invariants when the lock is free:
        // - `isClosed` and `isEnded` never become false again.
        // - Every added repository is in `entries`, until it is released and its answers can't
        //   reach a store.
        var entries: [Entry] = []
        var isClosed = false
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Adds a repository. If the stack is already closed, closes the repository at once.
    func add<Model>(_ repository: Repository<Model>) {
        let ending = repository.ending
        let entry = Entry(repository: repository, close: { [weak repository] in repository?.close() }, ending: ending)
        // Entry and flags in one critical section: a concurrent `close()` finds the entry, or this
        // call finds the flag. Apart, both could miss.
        let (isClosed, isEnded) = state.withLock { state in
            state.entries.removeAll(where: \.isOver)
            state.entries.append(entry)
            return (state.isClosed, state.isEnded)
        }
        if isEnded { ending?.end() }
        if isClosed { repository.close() }
    }

    func close() {
        let entries = state.withLock { state in
            state.isClosed = true
            return state.entries
        }
        // Outside of the lock, since ending its observers may release a repository.
        for entry in entries { entry.close() }
    }

    /// Keeps late answers out of the stores, and returns after the last running write.
    func end() async {
        let endings = state.withLock { state in
            state.isEnded = true
            return state.entries.compactMap(\.ending)
        }
        for ending in endings { ending.end() }
        // All are ended before the first is awaited. A repository that still accepts answers could
        // write while another one is drained.
        for ending in endings { await ending.drain() }
    }
}

/// The repositories of a stack by their paths.
///
/// While the app holds or observes a repository, the stack has only one for its path. So two
/// screens share its requests, its models and its refreshes.
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
        // The repository is made under the lock. With a race, two callers would each make one, and
        // the second would replace the first one's destination in the outbox.
        entries.withLock { entries in
            // A closed repository throws at each read, so a new one replaces it.
            if let open = entries[key]?.repository as? Repository<Model>, !open.isClosed { return open }
            // Released repositories leave their keys. Without this the dictionary grows with each
            // path.
            entries = entries.filter { $0.value.repository != nil }
            let repository = make()
            entries[key] = Entry(repository: repository)
            return repository
        }
    }
}
