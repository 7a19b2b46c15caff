internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

extension OutboxEngine {
    /// Executes the steps of the schedule until its end.
    func run() async {
        while true {
            // The timer is read before the clocks of the schedule. Read after them, the alarm would
            // be late by all the time that passes between the two, as while the process is stopped.
            let look = Deadline(after: .zero, on: timer)
            switch nextStep() {
            case .lease(let name, let lanes): await lease(lanes, of: name)
            case .tryUntried(let name): await tryUntried(of: name)
            case .findNextDue(let names): await findNextDue(names)
            case .releasePermits(let name, let count): state.withLock { $0.release(count, of: name) }
            case .wait(let duration):
                await wait(until: look.fromSameStart(after: max(duration, .milliseconds(1))))
            case .end: return
            }
        }
    }

    private func nextStep() -> Schedule.Step {
        let (step, complete, end) = state.withLock { state -> (Schedule.Step, [Promise<Drain.End>], Drain.End) in
            let now = now
            let step = state.schedule.next(at: now)
            switch step {
            case .lease, .tryUntried, .releasePermits: break
            case .findNextDue, .wait:
                // Decided in the step that chooses to rest. An entry that arrives afterwards
                // belongs to the next drain.
                if state.schedule.isDrained(at: now.uptime) {
                    return (step, state.drains.values.map(\.end), state.schedule.isHeldBack ? .heldBack : .complete)
                }
            // Cleared in the same critical section, so that a caller that starts the loop again
            // sees its end.
            case .end: state.loop = nil
            }
            return (step, [], .complete)
        }
        // Outside of the lock: a resumed drain takes it again.
        for drain in complete { drain.fulfil(end) }
        return step
    }

    private func lease(_ lanes: Int, of name: String) async {
        let now = now
        // Read before the lease: a pause, or an opened breaker, may come while the journal is
        // asked.
        let (found, page, generation) = state.withLock {
            ($0.filter(for: name), $0.schedule.page(of: name), $0.schedule.generation(of: name))
        }
        guard let filter = found else { return }
        var request = LeaseRequest(
            account: account, destinations: [filter], now: now.wall, duration: leaseDuration, lanes: lanes,
            entries: max(page, filter.limits.entries))
        request.bytes = max(256 * 1_024, filter.limits.bytes)
        guard let leased = await lease(request) else { return }
        // The lease is counted from before the request, so this engine stops using it before the
        // store ends it.
        await begin(leased, of: name, generation, asked: lanes, until: now.uptime + leaseDuration)
    }

    /// Attempts one lane that was not tried since the breaker opened. The others stay as they are.
    private func tryUntried(of name: String) async {
        // Without a network the system reports its return, so no lane has to be tried before.
        guard connectivity?.isOnline != false else { return }
        let now = now
        let (found, tried, generation) = state.withLock {
            ($0.filter(for: name), $0.schedule.tried(of: name), $0.schedule.generation(of: name))
        }
        guard let filter = found else { return }
        var request = LeaseRequest(
            account: account, destinations: [filter], now: now.wall, duration: leaseDuration, lanes: 1, entries: 1)
        request.except = Set(tried.map { Lease.Lane(account: account, name: $0, destination: name) })
        let lanes = await lease(request)
        // There may be other untried lanes. If the store failed, none was looked for.
        if lanes?.isEmpty != true { state.withLock { $0.schedule.lookForUntried(of: name) } }
        if let lanes { await begin(lanes, of: name, generation, asked: 1, until: now.uptime + leaseDuration) }
    }

    /// - Returns: nil if the store failed.
    private func lease(_ request: LeaseRequest) async -> [LeasedLane]? {
        do throws(StoreError) {
            let leased = try await store.lease(request)
            // The lease drops entries whose lifetime is over, and callers may await them.
            readers.tell(leased.expired.map(OutboxEvent.dropping))
            outcomeObservers.record(leased.expired)
            reportMemory(leased)
            return leased.lanes
        } catch {
            reportStoreFailure(error, "the due entries could not be looked up")
            return nil
        }
    }

    /// Reports the first leases that are in memory only because the disk is full.
    private func reportMemory(_ leased: LeaseResult) {
        if leased.lanes.isEmpty { return }
        let isNew = state.withLock { state in
            // Compared and set in one step, so that one full disk is one incident.
            defer { state.leasesInMemory = leased.isInMemory }
            return leased.isInMemory && !state.leasesInMemory
        }
        guard isNew else { return }
        let message =
            "the disk is full, so leases are only in memory: another process may send the same entries, and delivered "
            + "entries are sent again if the process ends before there is room; make room on the disk"
        report(Incident(.leasesInMemory, message: message))
    }

    private func begin(
        _ lanes: [LeasedLane], of name: String, _ generation: Schedule.Generation, asked: Int, until goodUntil: Uptime
    ) async {
        let hasEnded = state.withLock { state in
            // The last drain may have ended while the journal was asked.
            guard state.schedule.takesMore, let destination = state.destinations[name],
                let permits = state.permits[name]
            else { return true }
            let weights = lanes.map(\.weight)
            // The lanes are counted and their tasks stored in one step. `close()` then finds all
            // tasks of the lanes that are leased.
            state.schedule.recordLease(lanes.count, of: name, asked: asked, weight: weights.reduce(0, +))
            let wait = state.filter(for: name)?.limits.wait ?? .zero
            for (lane, weight) in zip(lanes, weights) {
                let task = Task(executorPreference: executor) { [self] in
                    await run(lane, at: destination, permits, generation, waiting: wait)
                }
                // The task can't overtake this line: its first use of the state waits for the lock.
                state.heldLanes[lane.lease.number] = .init(
                    lease: lane.lease, goodUntil: goodUntil, task: task, weight: weight)
            }
            if !lanes.isEmpty, state.extender == nil {
                state.extender = Task(executorPreference: executor) { [self] in await extendLeases() }
            }
            return false
        }
        guard hasEnded, !lanes.isEmpty else { return }
        // Released at once, because other processes would otherwise wait for the whole lease.
        await settle(lanes.map { SettlementBatch(released: $0.lease) })
        // Another drain may have begun meanwhile and found these lanes leased, so it has to look
        // again.
        state.withLock { $0.schedule.wake() }
        wakeUp.signal()
    }

    private func findNextDue(_ names: [String]) async {
        let now = now
        let (destinations, time) = state.withLock { state in
            (names.compactMap { state.filter(for: $0) }, state.schedule.nextDueStart(at: now))
        }
        let request = LeaseRequest(account: account, destinations: destinations, now: time)
        do throws(StoreError) {
            let next = try await store.nextDue(request)
            // Read after the answer: the store's lease ends are relative to its own, earlier
            // reading.
            let answered = uptime.now()
            state.withLock { $0.schedule.recordNextDue(next, at: now, answered: answered) }
        } catch {
            reportStoreFailure(error, "the time of the next due entry could not be looked up")
        }
    }

    private func wait(until end: Deadline) async {
        let alarm = alarm(at: end) { [wakeUp] in wakeUp.signal() }
        // Another engine may have settled an entry whose outcome a caller awaits here.
        if !state.withLock({ $0.schedule.isBusy }) { outcomeObservers.lookAgain() }
        // A signal that came since `nextStep` is kept by the event, so this wait returns at once.
        await wakeUp.wait()
        // A left alarm would wake a later rest too early, and cost one more look.
        alarm.cancel()
    }

    /// Runs an action after a time, unless it is cancelled before.
    ///
    /// The time counts from the call, and not from the moment at which the task starts.
    func alarm(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        alarm(at: Deadline(after: duration, on: timer), action)
    }

    private func alarm(at end: Deadline, _ action: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        Task(executorPreference: executor) {
            do { try await end.wait() } catch { return }
            action()
        }
    }

    private func reportStoreFailure(_ error: StoreError, _ what: String) {
        report(Incident(.journalFailed, message: "\(what); the outbox tries again: \(error)", cause: error))
        let uptime = uptime.now()
        let drains = state.withLock { state in
            // Lock order: the engine's state, then the generator.
            random.draw { state.schedule.recordStoreFailure(at: uptime, using: &$0) }
            return state.drains.values.map(\.end)
        }
        // The engine tries again, but a drain has an end: its caller gets the error.
        for drain in drains { drain.fulfil(.failed(error)) }
    }
}
