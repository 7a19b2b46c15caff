internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

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
            case .rest(let duration):
                await rest(until: look.fromSameStart(after: max(duration, .milliseconds(1))))
            case .end: return
            }
        }
    }

    private func nextStep() -> Schedule.Step {
        let (step, dry, end) = state.withLock { state -> (Schedule.Step, [Promise<Drain.End>], Drain.End) in
            let now = now
            let step = state.schedule.next(at: now)
            switch step {
            case .lease, .tryUntried, .releasePermits: break
            case .findNextDue, .rest:
                if state.schedule.isDry(at: now.uptime) {
                    return (step, state.drains.values.map(\.end), state.schedule.isHeldBack ? .heldBack : .dry)
                }
            // Cleared in the same critical section, so that a caller that starts the loop again
            // sees its end.
            case .end: state.loop = nil
            }
            return (step, [], .dry)
        }
        for drain in dry { drain.fulfil(end) }
        return step
    }

    private func lease(_ lanes: Int, of name: String) async {
        let now = now
        // Read before the lease: a pause, or an opened breaker, may come while the journal is
        // asked.
        let (found, page, pass) = state.withLock {
            ($0.route(to: name), $0.schedule.page(of: name), $0.schedule.pass(for: name))
        }
        guard let route = found else { return }
        let request = LeaseRequest(
            account: account, routes: [route], now: now.wall, duration: leaseDuration, lanes: lanes,
            entries: max(page, route.limits.entries), bytes: max(256 * 1_024, route.limits.bytes))
        guard let leased = await lease(request) else { return }
        await begin(leased, of: name, pass, asked: lanes, until: now.uptime + leaseDuration)
    }

    /// Attempts one lane that was not tried since the breaker opened. The others stay as they are.
    private func tryUntried(of name: String) async {
        // Without a network the system reports its return, so no lane has to be tried before.
        guard connectivity?.isOnline != false else { return }
        let now = now
        let (found, tried, pass) = state.withLock {
            ($0.route(to: name), $0.schedule.tried(of: name), $0.schedule.pass(for: name))
        }
        guard let route = found else { return }
        let request = LeaseRequest(
            account: account, routes: [route], now: now.wall, duration: leaseDuration, lanes: 1,
            entries: 1, except: Set(tried.map { Lease.Lane(account: account, name: $0, destination: name) }))
        let lanes = await lease(request)
        // There may be other untried lanes. If the store failed, none was looked for.
        if lanes?.isEmpty != true { state.withLock { $0.schedule.foundUntried(of: name) } }
        if let lanes { await begin(lanes, of: name, pass, asked: 1, until: now.uptime + leaseDuration) }
    }

    /// - Returns: nil if the store failed.
    private func lease(_ request: LeaseRequest) async -> [LeasedLane]? {
        do throws(StoreError) {
            let leased = try await store.lease(request)
            readers.tell(leased.expired.map(OutboxEvent.dropping))
            watches.note(leased.expired)
            reportMemory(leased)
            return leased.lanes
        } catch {
            storeFailed(error, "the due entries could not be looked up")
            return nil
        }
    }

    /// Reports the first leases that are in memory only because the disk is full.
    private func reportMemory(_ leased: Leased) {
        if leased.lanes.isEmpty { return }
        let isNew = state.withLock { state in
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
        _ lanes: [LeasedLane], of name: String, _ pass: Schedule.Pass, asked: Int, until goodUntil: Uptime
    ) async {
        let hasEnded = state.withLock { state in
            // The last drain may have ended while the journal was asked.
            guard state.schedule.takesMore, let destination = state.destinations[name],
                let permits = state.permits[name]
            else { return true }
            let weights = lanes.map(\.weight)
            state.schedule.leased(lanes.count, of: name, asked: asked, weight: weights.reduce(0, +))
            let wait = state.route(to: name)?.limits.wait ?? .zero
            for (lane, weight) in zip(lanes, weights) {
                let task = Task(executorPreference: executor) { [self] in
                    await run(lane, at: destination, permits, pass, waiting: wait)
                }
                state.held[lane.lease.number] = .init(
                    lease: lane.lease, goodUntil: goodUntil, task: task, weight: weight)
            }
            if !lanes.isEmpty, state.extender == nil {
                state.extender = Task(executorPreference: executor) { [self] in await extendLeases() }
            }
            return false
        }
        guard hasEnded, !lanes.isEmpty else { return }
        await settle(lanes.map { SettlementBatch(released: $0.lease) })
        // Another drain may have begun meanwhile and found these lanes leased, so it has to look
        // again.
        state.withLock { $0.schedule.wake() }
        wakeUp.signal()
    }

    private func findNextDue(_ names: [String]) async {
        let now = now
        let (routes, time) = state.withLock { state in
            (names.compactMap { state.route(to: $0) }, state.schedule.timeOfQuestion(at: now))
        }
        let request = LeaseRequest(account: account, routes: routes, now: time)
        do throws(StoreError) {
            let next = try await store.nextDue(request)
            let answered = uptime.now()
            state.withLock { $0.schedule.found(next, at: now, answered: answered) }
        } catch {
            storeFailed(error, "the time of the next due entry could not be looked up")
        }
    }

    private func rest(until end: Deadline) async {
        let alarm = alarm(at: end) { [wakeUp] in wakeUp.signal() }
        // Another engine may have settled an entry whose outcome a caller awaits here.
        if !state.withLock({ $0.schedule.isBusy }) { watches.lookAgain() }
        await wakeUp.wait()
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

    private func storeFailed(_ error: StoreError, _ what: String) {
        report(Incident(.journalFailed, message: "\(what); it is tried again: \(error)", cause: error))
        let uptime = uptime.now()
        let drains = state.withLock { state in
            random.draw { state.schedule.storeFailed(at: uptime, using: &$0) }
            return state.drains.values.map(\.end)
        }
        for drain in drains { drain.fulfil(.failed(error)) }
    }
}
