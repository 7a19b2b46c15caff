internal import Synchronization

/// The readers of a store's feeds. A store holds one and reports its commits to it.
///
/// ```swift
/// func changes(of account: Account?, since version: StoreVersion) -> EntityFeed {
///     readers.subscribe(to: account, since: version) { version throws(StoreError) in
///         try await self.log(of: account, since: version)
///     }
/// }
/// ```
public final class EntityFeedReaders: Sendable {
    private struct Entry {
        weak var reader: EntityFeed.Reader?
    }

    private struct State {
        var readers: [Account?: [UInt64: Entry]] = [:]
        var last: UInt64 = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Creates an object without readers.
    public init() {}

    /// Starts a feed for a reader that knows every commit up to a version.
    ///
    /// - Parameter log: reads the commits that were not reported. It is called once at the start
    ///   and after each gap.
    public func subscribe(
        to account: Account?, since version: StoreVersion, log: @escaping EntityFeed.Log
    ) -> EntityFeed {
        let (reader, isFinished) = state.withLock { state in
            state.last += 1
            let id = state.last
            let reader = EntityFeed.Reader(since: version, log: log) { [weak self] in self?.remove(id, of: account) }
            if !state.isFinished { state.readers[account, default: [:]][id] = Entry(reader: reader) }
            return (reader, state.isFinished)
        }
        if isFinished { reader.finish() }
        return EntityFeed(reader)
    }

    /// Whether no feed has a reader. A store then need not report its commits.
    public var isEmpty: Bool { state.withLock { $0.readers.isEmpty } }

    /// The accounts whose feeds have readers.
    public var accounts: Set<Account?> { state.withLock { Set($0.readers.keys) } }

    /// Reports the commits after `since` up to the version that the element reaches.
    ///
    /// Call it after the commit is visible to every reader and before the commit returns. Commits
    /// may be reported in any order: a reader that misses one reads the log.
    public func tell(_ element: EntityFeed.Element, of account: Account?, since: StoreVersion) {
        for reader in readers(of: account) { reader.tell(element, since: since) }
    }

    /// Makes the readers whose last read of the log has failed read it again.
    public func wake() {
        // Call the readers outside of the lock: releasing the last reference to a reader takes the
        // lock again.
        let readers = state.withLock { $0.readers.values.flatMap { $0.values.compactMap(\.reader) } }
        for reader in readers { reader.wake() }
    }

    /// Makes all readers read the log, because the outcome of a commit is unknown.
    public func lookAgain() {
        let readers = state.withLock { $0.readers.values.flatMap { $0.values.compactMap(\.reader) } }
        for reader in readers { reader.lookAgain() }
    }

    /// Ends all feeds, because the store is closed.
    public func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            return state.readers.values.flatMap { $0.values.compactMap(\.reader) }
        }
        for reader in readers { reader.finish() }
    }

    private func readers(of account: Account?) -> [EntityFeed.Reader] {
        // Return the readers and call them outside of the lock: releasing the last reference to a
        // reader takes the lock again.
        state.withLock { $0.readers[account]?.values.compactMap(\.reader) ?? [] }
    }

    private func remove(_ id: UInt64, of account: Account?) {
        state.withLock { state in
            state.readers[account]?[id] = nil
            if state.readers[account]?.isEmpty == true { state.readers[account] = nil }
        }
    }
}
