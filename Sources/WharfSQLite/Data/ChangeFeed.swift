#if SQLite
internal import Synchronization
internal import WharfCore

/// Tells who reads the changes of a file: of its own commits when they are made, and of other processes' when they are found.
final class ChangeFeed: Sendable {
    private struct State {
        /// Up to here everybody was told.
        var seen: Int64
        /// Likewise, of the journal.
        var tick: Int64
        var isPolling = false
        var isFinished = false
        var poll: Task<Void, Never>?
    }

    private let subscriptions = EntitySubscriptions()
    private let listeners = JournalSubscriptions()
    private let state: Mutex<State>
    private let interval: Duration
    private let clock: any Clock<Duration>

    init(seen: Int64, tick: Int64, interval: Duration, clock: any Clock<Duration>) {
        state = Mutex(State(seen: seen, tick: tick))
        self.interval = interval
        self.clock = clock
    }

    var seen: Int64 { state.withLock { $0.seen } }

    /// ``seen``; nil while nobody reads.
    var seenByReaders: Int64? { subscriptions.isEmpty ? nil : seen }

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

    /// Tells what was not told yet. Entries come from one transaction, in order.
    func publish(_ entries: [ChangeLog.Entry]) {
        guard let last = entries.last?.seq else { return }
        // Told under the lock: who finds `seen` ahead of an entry may count on it.
        state.withLock { state in
            let seen = state.seen
            tell(entries.lazy.filter { $0.seq > seen }.map(\.change))
            state.seen = max(seen, last)
        }
    }

    private func tell(_ changes: some Sequence<ChangeLog.Change>) {
        var keys: [EntityKey] = []
        var accounts: Set<Account?> = []
        for change in changes {
            switch change {
            case .key(let key): keys.append(key)
            case .account(let account): accounts.insert(account)
            case .everything: return subscriptions.tellAll { _ in true }
            }
        }
        subscriptions.tell(keys)
        if !accounts.isEmpty { subscriptions.tellAll { accounts.contains($0) } }
    }

    /// - Parameter look: reads the file and publishes what is new; called at intervals while anybody reads.
    func subscribe(
        to account: Account?, kind: String, polling look: @escaping @Sendable () async throws(StoreError) -> Void
    ) -> EntityChanges {
        let changes = subscriptions.subscribe(to: account, kind: kind)
        beginPolling(look)
        return changes
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
                } catch {
                    if error.code == .closed { return }
                    // Who reads next meets the error; once is enough to make somebody read.
                    if wasReadable {
                        self.subscriptions.tellAll { _ in true }
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
            state.isPolling = !state.isFinished && !(subscriptions.isEmpty && listeners.isEmpty)
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
        listeners.finish()
    }
}
#endif
