internal import Synchronization

/// The readers of a store's feeds: for a store to hold and to tell.
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

    public init() {}

    /// Begins a feed that has heard of every commit up to a version.
    ///
    /// - Parameter log: read for what was not told. Called once at first, and after each gap.
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

    /// Whether no feed has a reader: then nothing needs to be told.
    public var isEmpty: Bool { state.withLock { $0.readers.isEmpty } }

    /// The accounts whose feeds have readers.
    public var accounts: Set<Account?> { state.withLock { Set($0.readers.keys) } }

    /// Tells what was committed after `since` up to the version that the element reaches.
    ///
    /// Call it when the commit is there for every reader, and before it returns. Commits may be
    /// told in any order: a reader that misses one looks at the log.
    public func tell(_ element: EntityFeed.Element, of account: Account?, since: StoreVersion) {
        for reader in readers(of: account) { reader.tell(element, since: since) }
    }

    /// Has the readers look again whose last look at the log has failed.
    public func wake() {
        // Outside of the lock: to release the last reference to a reader takes it again.
        let readers = state.withLock { $0.readers.values.flatMap { $0.values.compactMap(\.reader) } }
        for reader in readers { reader.wake() }
    }

    /// Has all readers look at the log: it is not known what was committed, or whether.
    public func lookAgain() {
        let readers = state.withLock { $0.readers.values.flatMap { $0.values.compactMap(\.reader) } }
        for reader in readers { reader.lookAgain() }
    }

    /// Ends all feeds: the store is closed.
    public func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            return state.readers.values.flatMap { $0.values.compactMap(\.reader) }
        }
        for reader in readers { reader.finish() }
    }

    private func readers(of account: Account?) -> [EntityFeed.Reader] {
        // Told outside of the lock: to release the last reference to a reader takes it again.
        state.withLock { $0.readers[account]?.values.compactMap(\.reader) ?? [] }
    }

    private func remove(_ id: UInt64, of account: Account?) {
        state.withLock { state in
            state.readers[account]?[id] = nil
            if state.readers[account]?.isEmpty == true { state.readers[account] = nil }
        }
    }
}
