internal import Synchronization
public import WharfCore

/// The readers of a store's feeds. A store holds one and reports its commits to it.
///
/// ```swift
/// func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
///     readers.subscribe(to: account, kind: kind, since: version) { version throws(StoreError) in
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

    // Readers are held weakly, so a feed ends with its last reference. Lock order: none, because no
    // reader is called under the lock.
    private let state = Mutex(State())
    private let timer: any Clock<Duration>

    /// Creates an object without readers.
    public init() { timer = ContinuousClock() }

    /// - Parameter timer: the clock of the pauses before a failed read of a log is repeated.
    package init(timer: any Clock<Duration>) { self.timer = timer }

    /// Starts a feed for a reader that knows every commit up to a version.
    ///
    /// - Parameters:
    ///   - kind: the kind of the reader's keys; nil for all kinds.
    ///   - version: nil for a reader from now on.
    ///   - now: where a reader from now on begins. A store needs it if its commits may be reported
    ///     out of order, or may be made by another process; nil for the next report.
    ///   - log: reads the commits that were not reported, of all kinds. It is called after each
    ///     gap, and once at the start if the reader gave a version.
    public func subscribe(
        to account: Account?, kind: String? = nil, since version: StoreVersion?, now: StoreVersion? = nil,
        log: @escaping EntityFeed.Log
    ) -> EntityFeed {
        // The check of the end and the registration are one step. `finish()` would otherwise miss a
        // reader that waits for ever.
        let (reader, isFinished) = state.withLock { state in
            state.last += 1
            let id = state.last
            let reader = EntityFeed.Reader(kind: kind, since: version, now: now, log: log, timer: timer) {
                [weak self] in
                self?.remove(id, of: account)
            }
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
        let readers = readers(of: account)
        if readers.isEmpty { return }
        // Divided once for all readers: a repository has several readers of each kind.
        var kinds: [String: [EntityKey: EntityFeed.Change]]?
        for reader in readers {
            guard let kind = reader.kind, case .changes(let changes, let reached) = element else {
                reader.tell(element, since: since)
                continue
            }
            let some = kinds ?? Self.kinds(of: changes)
            kinds = some
            // A commit without a key of the kind is reported too, because it is no gap.
            reader.tell(.changes(some[kind] ?? [:], reached: reached), since: since)
        }
    }

    private static func kinds(
        of changes: [EntityKey: EntityFeed.Change]
    ) -> [String: [EntityKey: EntityFeed.Change]] {
        guard let kind = changes.first?.key.kind else { return [:] }
        // The usual case: all keys of a commit have one kind, and no copy is made.
        if changes.keys.allSatisfy({ $0.kind == kind }) { return [kind: changes] }
        var kinds: [String: [EntityKey: EntityFeed.Change]] = [:]
        for (key, change) in changes { kinds[key.kind, default: [:]][key] = change }
        return kinds
    }

    /// Makes the readers whose last read of the log has failed read it again now.
    ///
    /// Without a call they read it again after a pause, which doubles with each failure up to 30 s.
    public func wake() {
        // Call the readers outside of the lock: releasing the last reference to a reader takes the
        // lock again.
        let readers = state.withLock { $0.readers.values.flatMap { $0.values.compactMap(\.reader) } }
        for reader in readers { reader.wake() }
    }

    /// Makes all readers read the log.
    ///
    /// Call it if the outcome of a commit is unknown, or if commits of other processes could not be
    /// read. A reader from now on then reads everything.
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
