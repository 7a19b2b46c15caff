#if SQLite
internal import Synchronization
internal import WharfCore

/// Tells who reads the changes of a file: of its own commits when they are made, and of other
/// processes' when they are found.
final class ChangeFeed: Sendable {
    private struct State {
        /// The versions up to which every reader was told, by the accounts' numbers.
        ///
        /// An account that is missing had no commit when the file was opened.
        var seen: [Int64: StoreVersion]
        /// Likewise, of the journal.
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

    /// The accounts whose changes are read, and up to which version their readers were told.
    var watched: [VersionTables.Watch] {
        if subscriptions.isEmpty && feeds.isEmpty { return [] }
        let accounts = subscriptions.accounts.union(feeds.accounts)
        return state.withLock { state in
            accounts.map { VersionTables.Watch(account: $0, seen: state.seen[VersionTables.id($0)] ?? .none) }
        }
    }

    /// Somebody wants to hear of commits to the journal.
    var hasListeners: Bool { !listeners.isEmpty }

    /// Tells listeners of the journal, if they were not told of this commit or a later one.
    func publish(tick: Int64) {
        let isNew = state.withLock { state in
            defer { state.tick = max(state.tick, tick) }
            return tick > state.tick
        }
        if isNew { listeners.tell() }
    }

    /// Tells listeners of the journal that something may be due.
    func stirJournal() { listeners.tell() }

    /// Tells the news that were not told yet. Those of one account come in the order of their
    /// versions.
    func publish(_ news: [VersionTables.News]) {
        if news.isEmpty { return }
        // Told under the lock: a call that finds `seen` ahead of a version returns after it was
        // told.
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
        // A gap: another process has committed between the last look and this commit, while the
        // account had no reader. A reader may have subscribed since, so it can't be told the keys
        // alone.
        guard case .changes(let changes, _) = news.element, news.since <= seen else {
            return subscriptions.tellAll(of: news.account, at: news.element.reached)
        }
        subscriptions.tell(changes.filter { $0.value.version > seen }.mapValues(\.version))
    }

    /// - Parameter look: reads the file and publishes what is new; called at intervals while
    ///   anybody reads.
    func subscribe(
        to account: Account?, kind: String, polling look: @escaping @Sendable () async throws(StoreError) -> Void
    ) -> EntityChanges {
        let changes = subscriptions.subscribe(to: account, kind: kind)
        beginPolling(look)
        return changes
    }

    /// - Parameters:
    ///   - log: reads what has changed since a version.
    ///   - look: as of ``subscribe(to:kind:polling:)``.
    func follow(
        _ account: Account?, since version: StoreVersion, log: @escaping EntityFeed.Log,
        polling look: @escaping @Sendable () async throws(StoreError) -> Void
    ) -> EntityFeed {
        let feed = feeds.subscribe(to: account, since: version, log: log)
        beginPolling(look)
        return feed
    }

    /// - Parameter look: as of ``subscribe(to:kind:polling:)``.
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
        // Detached: it serves others than its first caller.
        Task.detached { [weak self, interval, clock] in
            var wasReadable = true
            while await Self.pause(interval, clock), let self, self.isNeeded() {
                do throws(StoreError) {
                    try await look()
                    wasReadable = true
                    self.feeds.wake()
                } catch {
                    if error.code == .closed { return }
                    // Who reads next meets the error; once is enough to make somebody read.
                    if wasReadable {
                        self.subscriptions.tellDoubt()
                        self.listeners.tell()
                    }
                    wasReadable = false
                }
            }
        }
    }

    /// False ends the polling: whoever subscribes after it begins it anew.
    private func isNeeded() -> Bool {
        state.withLock { state in
            state.isPolling = !state.isFinished && !(subscriptions.isEmpty && feeds.isEmpty && listeners.isEmpty)
            return state.isPolling
        }
    }

    /// False when the task was cancelled.
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
