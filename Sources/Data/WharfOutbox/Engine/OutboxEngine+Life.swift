internal import Synchronization
public import WharfCore
internal import WharfPrimitives
internal import WharfStorage

extension OutboxEngine {
    /// Starts to deliver, until ``close()``.
    public func start() {
        // Before the lock: the app's journal and connectivity may call the engine. Before the first
        // look: otherwise a change between the two would be missed.
        let (notifications, turns) = (store.notifications(), connectivity?.changes())
        let isFirst = state.withLock { state in
            // One caller starts. A second `start()` would subscribe a second time and leak the
            // first followers.
            guard !state.schedule.isStarted, !state.schedule.isClosed else { return false }
            state.schedule.isStarted = true
            state.schedule.wake()
            // In the same step as the flag: a `close()` in between would find no followers to
            // cancel.
            state.followers = followers(of: notifications, turns)
            return true
        }
        guard isFirst else { return }
        startLoop()
        // From now on the loop makes waiting callers look again, so a second follower is
        // superfluous.
        outcomeObservers.stopFollowing()
    }

    /// Cancels requests, commits their settlements, releases the leases, and ends.
    ///
    /// It waits for a destination that ignores cancellation, at most for
    /// ``Configuration/patience``.
    public func close() async {
        let (loop, others, drains) = state.withLock { state in
            // From this step on no loop, drain or lane begins, so the tasks listed here are all
            // that there are.
            state.schedule.isClosed = true
            defer { (state.followers, state.extender) = ([], nil) }
            return (
                state.loop, state.followers + (state.extender.map { [$0] } ?? []), state.drains.values.map(\.end)
            )
        }
        // The loop ends no drain after this, so each one is ended here. Its caller would wait
        // forever otherwise.
        for drain in drains { drain.fulfil(.closed) }
        for other in others { other.cancel() }
        wakeUp.signal()
        // The loop may be inside of a lease. Its lanes are released by `begin`, because the engine
        // takes no more.
        await loop?.value
        // In its own task, so that a cancelled caller waits as well.
        await Task(executorPreference: executor) { [self] in await endLanes() }.value
        // After the lanes: their settlements still go through it.
        commits.close()
        // A destination may hold the owner of this engine. Releasing it breaks that cycle.
        state.withLock { $0.forgetDestinations() }
        // Last, because the settlements of the lanes are events and outcomes too.
        readers.end()
        outcomeObservers.end()
    }

    /// Adds a destination, or replaces the one of the same name.
    ///
    /// Entries that were parked for it are delivered. Its kinds are read now: register it again
    /// when they change.
    public func register(_ destination: any Destination) {
        let new = Registration(destination, policy)
        state.withLock { state in
            state.register(new)
            // A route that is delivered now leaves the set. It is reported again if a later
            // replacement does not know its kind.
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
            // In one step with the list of tasks. Lanes that end in between would otherwise have no
            // promise to fulfil.
            if !state.heldLanes.isEmpty { state.untilFree.append(freed) }
            return state.heldLanes.values.map(\.task)
        }
        // No lane fulfils the promise then, and the wait would last for the whole patience.
        if tasks.isEmpty { return }
        for task in tasks { task.cancel() }
        // A destination may ignore its cancellation. The lease of its lane then runs out by itself.
        let limit = alarm(after: patience) { freed.fulfil() }
        await freed.wait()
        limit.cancel()
    }

    func startLoop() {
        state.withLock { state in
            // Two loops would wait for one event, and a signal wakes only one of them. A loop that
            // begins after `close()` would be awaited by no caller.
            guard state.loop == nil, !state.schedule.isClosed else { return }
            state.loop = Task(executorPreference: executor) { [self] in await run() }
        }
        wakeUp.signal()
    }

    private func followers(of notifications: AsyncStream<Void>, _ turns: AsyncStream<Bool>?) -> [Task<Void, Never>] {
        var tasks = [
            Task(executorPreference: executor) { [self] in await lookForParked() },
            Task(executorPreference: executor) { [self] in
                for await _ in notifications {
                    // Wake the schedule first. A signal before it would let the loop rest on the
                    // old answer of the journal.
                    state.withLock { $0.schedule.wake() }
                    wakeUp.signal()
                }
            },
        ]
        if let turns {
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
        state.withLock { $0.schedule.recordNetworkReturn() }
        wakeUp.signal()
    }
}
