internal import Synchronization
public import WharfCore
internal import WharfPrimitives

extension OutboxEngine {
    /// Begins to deliver, and goes on until ``close()``.
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

    /// Ends it: what is on its way is cancelled and settled by its answer, and leases are given
    /// back.
    ///
    /// A destination that does not end when it is cancelled is not waited for any longer than the
    /// patience of the initialiser.
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
        // Also for a caller that is cancelled.
        await Task(executorPreference: executor) { [self] in await endLanes() }.value
        commits.close()
        // They may hold on to whoever holds this.
        state.withLock { $0.forgetDestinations() }
        readers.end()
        watches.end()
    }

    /// Delivers to one more, or to another of the same name from now on: what was parked for it
    /// goes on.
    public func register(_ destination: any Destination) {
        state.withLock { state in
            state.register(destination, policy)
            state.parked = state.parked.filter(state.isParked)
        }
        wakeUp.signal()
    }

    /// Tells the engine that the app has another credential, as after a sign-in.
    ///
    /// Destinations that refused the old one are tried at once. Without the call a probe finds it
    /// out, at most 300 s later. A destination that is paused stays so until ``resume(_:)``.
    public func credentialChanged() {
        readers.tell([.credentialChanged])
        // It begins a generation: answers to requests with the old credential close nothing.
        state.withLock { $0.schedule.credentialChanged() }
        wakeUp.signal()
    }

    /// Cancels what is under way, and waits until it has ended and been settled, as long as
    /// patience lasts.
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
        // Subscribed before the first look: nothing comes between the two unseen.
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
                Incident(.journalFailed, message: "what nobody delivers could not be looked up: \(error)", cause: error)
            )
        }
    }

    func reopen() {
        state.withLock { $0.schedule.networkIsBack() }
        wakeUp.signal()
    }
}
