#if SQLite
internal import Synchronization
internal import WharfCore

/// Broadcasts the changes of a file to its readers.
///
/// The file's own commits are reported when they are made, and those of other processes when they
/// are found.
final class ChangeFeed: Sendable {
    private struct State {
        /// The versions that every reader was told, by the accounts' ids.
        ///
        /// A missing account had no commit when the file was opened.
        var seen: [Int64: StoreVersion]
        /// The tick of the journal that every listener was told.
        var tick: Int64
        var isPolling = false
        var isFinished = false
        var poll: Task<Void, Never>?
    }

    private let subscriptions = EntitySubscriptions()
    private let feeds = EntityFeedReaders()
    private let listeners = JournalSubscriptions()
    private let state: Mutex<State>
    private let interval: Duration
    private let clock: any Clock<Duration>

    init(seen: [Int64: StoreVersion], tick: Int64, interval: Duration, clock: any Clock<Duration>) {
        state = Mutex(State(seen: seen, tick: tick))
        self.interval = interval
        self.clock = clock
    }

    /// The accounts whose changes have readers, with the versions that these were told.
    var watched: [VersionTables.Watch] {
        if subscriptions.isEmpty && feeds.isEmpty { return [] }
        let accounts = subscriptions.accounts.union(feeds.accounts)
        return state.withLock { state in
            accounts.map { VersionTables.Watch(account: $0, seen: state.seen[VersionTables.id($0)] ?? .none) }
        }
    }

    /// Whether the journal's commits have listeners.
    var hasListeners: Bool { !listeners.isEmpty }

    /// Tells the journal's listeners of a commit, unless they know it or a later one.
    func publish(tick: Int64) {
        let isNew = state.withLock { state in
            defer { state.tick = max(state.tick, tick) }
            return tick > state.tick
        }
        if isNew { listeners.tell() }
    }

    /// Tells the journal's listeners that something may be due.
    func stirJournal() { listeners.tell() }

    /// Reports new commits, in the order of their versions for each account.
    func publish(_ news: [VersionTables.News]) {
        if news.isEmpty { return }
        // Reported under the lock: a call that finds `seen` ahead of a version returns after its
        // report.
        state.withLock { state in
            for each in news {
                let id = VersionTables.id(each.account)
                let seen = state.seen[id] ?? .none
                guard each.element.reached > seen else { continue }
                tell(each, seen)
                state.seen[id] = each.element.reached
            }
        }
    }

    private func tell(_ news: VersionTables.News, _ seen: StoreVersion) {
        feeds.tell(news.element, of: news.account, since: news.since)
        // A gap: another process committed before this commit, while the account had no reader. A
        // reader may have subscribed since. The keys of the gap are unknown, so it has to read
        // everything.
        guard case .changes(let changes, _) = news.element, news.since <= seen else {
            return subscriptions.tellAll(of: news.account, at: news.element.reached)
        }
        subscriptions.tell(changes.filter { $0.value.version > seen }.mapValues(\.version))
    }

    /// - Parameter look: reads the file and publishes new commits. It is called at intervals while
    ///   there is a reader.
    func subscribe(
        to account: Account?, kind: String, polling look: @escaping @Sendable () async throws(StoreError) -> Void
    ) -> EntityChanges {
        let changes = subscriptions.subscribe(to: account, kind: kind)
        beginPolling(look)
        return changes
    }

    /// - Parameters:
    ///   - log: reads the changes since a version.
    ///   - look: see ``subscribe(to:kind:polling:)``.
    func follow(
        _ account: Account?, since version: StoreVersion, log: @escaping EntityFeed.Log,
        polling look: @escaping @Sendable () async throws(StoreError) -> Void
    ) -> EntityFeed {
        let feed = feeds.subscribe(to: account, since: version, log: log)
        beginPolling(look)
        return feed
    }

    /// - Parameter look: see ``subscribe(to:kind:polling:)``.
    func listen(polling look: @escaping @Sendable () async throws(StoreError) -> Void) -> AsyncStream<Void> {
        let news = listeners.subscribe()
        beginPolling(look)
        return news
    }

    private func beginPolling(_ look: @escaping @Sendable () async throws(StoreError) -> Void) {
        state.withLock { state in
            guard !state.isPolling, !state.isFinished else { return }
            state.isPolling = true
            state.poll = poll(look)
        }
    }

    private func poll(_ look: @escaping @Sendable () async throws(StoreError) -> Void) -> Task<Void, Never> {
        // Detached, because it serves other readers than its first caller.
        Task.detached { [weak self, interval, clock] in
            var wasReadable = true
            while await Self.pause(interval, clock), let self, self.isNeeded() {
                do throws(StoreError) {
                    try await look()
                    wasReadable = true
                    self.feeds.wake()
                } catch {
                    if error.code == .closed { return }
                    // The next read meets the error. One report is enough to cause that read.
                    if wasReadable {
                        self.subscriptions.tellDoubt()
                        self.listeners.tell()
                    }
                    wasReadable = false
                }
            }
        }
    }

    /// Whether polling continues. After false, the next subscription starts it again.
    private func isNeeded() -> Bool {
        state.withLock { state in
            state.isPolling = !state.isFinished && !(subscriptions.isEmpty && feeds.isEmpty && listeners.isEmpty)
            return state.isPolling
        }
    }

    /// Returns false if the task was cancelled.
    private static func pause(_ interval: Duration, _ clock: any Clock<Duration>) async -> Bool {
        do {
            try await clock.sleep(for: interval)
            return true
        } catch {
            return false
        }
    }

    func finish() {
        let poll = state.withLock { state in
            state.isFinished = true
            return state.poll
        }
        poll?.cancel()
        subscriptions.finish()
        feeds.finish()
        listeners.finish()
    }
}
#endif
