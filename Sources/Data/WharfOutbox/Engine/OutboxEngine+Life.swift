internal import Synchronization
public import WharfCore
internal import WharfPrimitives

extension OutboxEngine {
    /// Starts to deliver, until ``close()``.
    public func start() {
        let isFirst = state.withLock { state in
            guard !state.schedule.isStarted, !state.schedule.isClosed else { return false }
            state.schedule.isStarted = true
            state.schedule.wake()
            state.followers = followers()
            return true
        }
        guard isFirst else { return }
        startLoop()
        watches.stopFollowing()
    }

    /// Cancels requests, commits their settlements, releases the leases, and ends.
    ///
    /// It waits for a destination that ignores cancellation, at most for the `patience` of the
    /// initialiser.
    public func close() async {
        let (loop, others, drains) = state.withLock { state in
            state.schedule.isClosed = true
            defer { (state.followers, state.extender) = ([], nil) }
            return (
                state.loop, state.followers + (state.extender.map { [$0] } ?? []), state.drains.values.map(\.end)
            )
        }
        for drain in drains { drain.fulfil(.closed) }
        for other in others { other.cancel() }
        wakeUp.signal()
        await loop?.value
        // In its own task, so that a cancelled caller waits as well.
        await Task(executorPreference: executor) { [self] in await endLanes() }.value
        commits.close()
        // A destination may hold the owner of this engine. Releasing it breaks that cycle.
        state.withLock { $0.forgetDestinations() }
        readers.end()
        watches.end()
    }

    /// Adds a destination, or replaces the one of the same name.
    ///
    /// Entries that were parked for it are delivered.
    public func register(_ destination: any Destination) {
        state.withLock { state in
            state.register(destination, policy)
            state.parked = state.parked.filter(state.isParked)
        }
        wakeUp.signal()
    }

    /// Tells the engine that the app has another credential, as after a sign-in.
    ///
    /// Destinations that refused the old one are tried at once. Without the call a probe finds the
    /// new credential at most 300 s later. A paused destination stays paused until ``resume(_:)``.
    public func credentialChanged() {
        readers.tell([.credentialChanged])
        // A new generation begins: answers to requests with the old credential open no breaker.
        state.withLock { $0.schedule.credentialChanged() }
        wakeUp.signal()
    }

    /// Cancels the leased lanes and waits for their settlements, within ``patience``.
    func endLanes() async {
        let freed = Promise<Void>()
        let tasks = state.withLock { state in
            if !state.held.isEmpty { state.untilFree.append(freed) }
            return state.held.values.map(\.task)
        }
        if tasks.isEmpty { return }
        for task in tasks { task.cancel() }
        let limit = alarm(after: patience) { freed.fulfil() }
        await freed.wait()
        limit.cancel()
    }

    func startLoop() {
        state.withLock { state in
            guard state.loop == nil, !state.schedule.isClosed else { return }
            state.loop = Task(executorPreference: executor) { [self] in await run() }
        }
        wakeUp.signal()
    }

    private func followers() -> [Task<Void, Never>] {
        // Subscribed before the first look: otherwise a change between the two would be missed.
        let news = store.news()
        var tasks = [
            Task(executorPreference: executor) { [self] in await lookForParked() },
            Task(executorPreference: executor) { [self] in
                for await _ in news {
                    state.withLock { $0.schedule.wake() }
                    wakeUp.signal()
                }
            },
        ]
        if let connectivity {
            let turns = connectivity.changes()
            tasks.append(
                Task(executorPreference: executor) { [self] in
                    for await isOnline in turns where isOnline { reopen() }
                })
        }
        return tasks
    }

    private func lookForParked() async {
        do throws(StoreError) {
            park(
                try await store.counts(of: account).pending.keys.sorted {
                    ($0.destination, $0.kind) < ($1.destination, $1.kind)
                })
        } catch {
            report(
                Incident(
                    .journalFailed, message: "the entries without a destination could not be looked up: \(error)",
                    cause: error)
            )
        }
    }

    func reopen() {
        state.withLock { $0.schedule.networkIsBack() }
        wakeUp.signal()
    }
}
