#if SQLite
internal import Synchronization
internal import WharfCore
internal import WharfStorage

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
        // True from the start of the task until its last check for readers. Then `isNeeded` sets it
        // to false in the step in which it finds none.
        var isPolling = false
        var isFinished = false
        var poll: Task<Void, Never>?
    }

    // Lock order: `state` first, then the locks inside these two. They call nothing of this class.
    private let feeds: EntityFeedReaders
    private let listeners = JournalSubscriptions()
    private let state: Mutex<State>
    private let interval: Duration
    private let clock: any Clock<Duration>

    init(seen: [Int64: StoreVersion], tick: Int64, interval: Duration, clock: any Clock<Duration>) {
        state = Mutex(State(seen: seen, tick: tick))
        self.interval = interval
        self.clock = clock
        feeds = EntityFeedReaders(timer: clock)
    }

    /// The accounts whose changes have readers, with the versions that these were told.
    var watched: [VersionTables.WatchedAccount] {
        // Without readers a commit reads no news of other processes.
        if feeds.isEmpty { return [] }
        let accounts = feeds.accounts
        return state.withLock { state in
            accounts.map { VersionTables.WatchedAccount(account: $0, seen: state.seen[VersionTables.id($0)] ?? .none) }
        }
    }

    /// Whether the journal's commits have listeners.
    var hasListeners: Bool { !listeners.isEmpty }

    /// Tells the journal's listeners of a commit, unless they know it or a later one.
    func publish(tick: Int64) {
        // Reported under the lock: a call that finds the tick known returns after its report.
        state.withLock { state in
            // A tick that was told already is not told twice: the engine would look at the journal
            // for nothing.
            guard tick > state.tick else { return }
            listeners.tell()
            state.tick = tick
        }
    }

    /// Tells the journal's listeners that something may be due.
    func notifyJournal() { listeners.tell() }

    /// Reports new commits, in the order of their versions for each account.
    func publish(_ accountChanges: [VersionTables.AccountChanges]) {
        if accountChanges.isEmpty { return }
        // Reported under the lock: a call that finds `seen` ahead of a version returns after its
        // report.
        state.withLock { state in
            for each in accountChanges {
                let id = VersionTables.id(each.account)
                let seen = state.seen[id] ?? .none
                // Two reads may report the same commits, in either order. The later report has
                // nothing new.
                guard each.element.reached > seen else { continue }
                // `since` may be beyond `seen`: another process committed before this commit, while
                // the account had no reader. For a reader that has come since, this is a gap.
                feeds.tell(each.element, of: each.account, since: each.since)
                state.seen[id] = each.element.reached
            }
        }
    }

    /// - Parameters:
    ///   - kind: the kind of the reader's keys; nil for all kinds.
    ///   - version: nil for a reader from now on.
    ///   - log: reads the changes since a version.
    ///   - look: reads the file and publishes new commits. It is called at intervals while there is
    ///     a reader.
    func follow(
        _ account: Account?, kind: String?, since version: StoreVersion?, log: @escaping EntityFeed.Log,
        polling look: @escaping @Sendable () async throws(StoreError) -> Void
    ) -> EntityFeed {
        // Subscribe first, then start the poll. In the other order the poll could find no reader
        // and stop, and this reader would never be told.
        let feed = state.withLock { state in
            // Under the lock: a reader from now on begins at a version whose successor is not
            // reported yet.
            let now = state.seen[VersionTables.id(account)] ?? StoreVersion.none
            return feeds.subscribe(to: account, kind: kind, since: version, now: now, log: log)
        }
        beginPolling(look)
        return feed
    }

    /// - Parameter look: see ``follow(_:kind:since:log:polling:)``.
    func listen(polling look: @escaping @Sendable () async throws(StoreError) -> Void) -> AsyncStream<Void> {
        let notifications = listeners.subscribe()
        beginPolling(look)
        return notifications
    }

    private func beginPolling(_ look: @escaping @Sendable () async throws(StoreError) -> Void) {
        state.withLock { state in
            // One poll serves all readers. After `finish` none starts, because no call would cancel
            // it.
            guard !state.isPolling, !state.isFinished else { return }
            state.isPolling = true
            state.poll = poll(look)
        }
    }

    private func poll(_ look: @escaping @Sendable () async throws(StoreError) -> Void) -> Task<Void, Never> {
        // Detached, because it serves other readers than its first caller.
        // The pause holds no reference, so a feed without an owner ends its poll.
        Task.detached { [weak self, interval, clock] in
            var wasReadable = true
            while await Self.pause(interval, clock), let self, self.isNeeded() {
                do throws(StoreError) {
                    try await look()
                    wasReadable = true
                    // The file is readable, so feeds whose last read of the log failed can read
                    // again.
                    self.feeds.wake()
                } catch {
                    // The file is closed, and no later read can succeed.
                    if error.code == .closed { return }
                    // The next read meets the error. One report is enough to cause that read.
                    if wasReadable {
                        self.feeds.lookAgain()
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
            // Under the lock: `beginPolling` either sees true and relies on this poll, or sees
            // false and starts another.
            state.isPolling = !state.isFinished && !(feeds.isEmpty && listeners.isEmpty)
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
            // The flag is set first. A reader that subscribes between starts no poll, and the calls
            // below end it.
            state.isFinished = true
            return state.poll
        }
        poll?.cancel()
        feeds.finish()
        listeners.finish()
    }
}
#endif
