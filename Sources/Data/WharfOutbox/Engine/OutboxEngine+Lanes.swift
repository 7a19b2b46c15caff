internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// An attempt with its answer and consequence.
struct Answered {
    let attempt: Attempt
    let answer: Delivery
    let outcome: AttemptOutcome
}

extension OutboxEngine {
    /// Delivers the entries of a leased lane in order, then releases the lease.
    ///
    /// It ends early when an entry has to wait.
    ///
    /// - Parameter permits: the destination's semaphore. The lane holds a permit while a request is
    ///   in flight, and releases it before the settlement is committed.
    func run(
        _ lane: LeasedLane, at destination: any Destination, _ permits: AsyncSemaphore, _ pass: Schedule.Pass,
        waiting: Duration
    ) async {
        var limits = destination.batchLimits
        limits.wait = waiting
        var turn = LaneTurn(lane.deliveries, limits: limits)
        var isFirst = true
        // Deliveries whose settlements the disk had no room for.
        var postponed: [Answered] = []
        while true {
            let permit = await permits.acquireUnlessCancelled()
            let uptime = uptime.now()
            // A lane that had to wait for its permit is no longer first: it continues only if the
            // lanes before it opened no breaker.
            let mayGoOn =
                permit != .cancelled && !Task.isCancelled
                && state.withLock { $0.mayGoOn(lane.lease, pass, isFirst: isFirst && permit == .immediate, at: uptime) }
            var batch = mayGoOn ? turn.next(at: clock.now()) : []
            let filledIn = fillIn(batch, by: destination)
            // Filling in ids sends no request, so it does not count for the rate limit.
            if filledIn.isEmpty, !batch.isEmpty, !begins(lane.lease, at: uptime) { batch = [] }
            if batch.isEmpty {
                release(lane.lease, hasPermit: permit != .cancelled)
                // The lane was not tried, so it may be reached although others were not.
                if isFirst { state.withLock { $0.schedule.foundUntried(of: lane.lease.lane.destination) } }
                _ = await commit(postponed, under: lane.lease, isOver: true)
                break
            }
            isFirst = false
            let answered = filledIn.isEmpty ? await deliver(batch, to: destination, under: lane.lease, pass) : filledIn
            // The rest of the batch comes with the next lease.
            let isOver = turn.settle(answered.map(\.outcome)) || !filledIn.isEmpty
            // Released before the commit. The lane that gets the permit has to see this answer, and
            // the commit may let this lane be leased again at once.
            release(lane.lease, hasSucceeded: answered.contains { $0.answer.health == .working })
            postponed += answered
            let commitment = await commit(postponed, under: lane.lease, isOver: isOver)
            if commitment == .committed { postponed = [] }
            guard commitment != .failed, !isOver else { break }
            state.withLock { $0.schedule.sitsDown(lane.lease.lane.destination) }
        }
        ended(lane.lease)
    }

    private func deliver(
        _ batch: [PendingDelivery], to destination: any Destination, under lease: Lease, _ pass: Schedule.Pass
    ) async -> [Answered] {
        readers.tell { batch.map { .attempted($0.subject) } }
        let name = lease.lane.destination
        let (before, policy) = state.withLock { ($0.schedule.before(name), $0.policies[name] ?? DeliveryPolicy()) }
        let (began, start) = (clock.now(), uptime.now())
        let answers = zip(
            batch, await OutboxAttempt.$isCurrent.withValue(true) { await destination.answers(to: batch) }
        ).map(classify)
        let duration = Duration.nanoseconds(uptime.now().nanoseconds - start.nanoseconds)
        readers.tell { batch.map { .answered($0.subject, after: duration) } }
        let isAlone = hear(answers, under: lease, pass, since: before)
        var answered: [Answered] = []
        for (pending, answer) in zip(batch, answers) {
            let merged = await merging(answer, of: pending, by: destination)
            let attempt = Attempt(
                pending: pending, began: began, ended: clock.now(), isAlone: isAlone, isAbandoned: Task.isCancelled)
            let retry = policy.retry(of: pending.entry, otherwise: retry)
            let outcome = random.draw { attempt.outcome(of: answer.verdict, merged: merged, retry, using: &$0) }
            answered.append(Answered(attempt: attempt, answer: answer, outcome: outcome))
        }
        return answered
    }

    private func merging(
        _ answer: Delivery, of pending: PendingDelivery, by destination: any Destination
    ) async -> (payload: [UInt8], key: IdempotencyKey)? {
        // Other destinations may already have the old bytes, so a person has to settle the
        // conflict.
        guard case .conflict(_, let theirs) = answer.verdict, pending.entry.targets.count == 1 else { return nil }
        let payload = await destination.merging(ConflictRecord(entry: pending.entry, theirs: theirs))
        return payload.map { ($0, IdempotencyKey(newID().text)) }
    }

    /// Puts assigned ids into the first entry of a batch that is owed some.
    ///
    /// The rest of the batch is not sent.
    ///
    /// - Returns: empty if no entry is owed ids.
    private func fillIn(_ batch: [PendingDelivery], by destination: any Destination) -> [Answered] {
        guard let pending = batch.first(where: { !$0.owed.isEmpty }) else { return [] }
        let kind = pending.entry.kind
        let outcome: AttemptOutcome
        do {
            let payload = try destination.rewriting(pending.entry.payload, of: kind, ids: pending.owed)
            outcome = .filledIn(Rewrite(pending.entry.id, payload: payload, owed: pending.owed))
        } catch {
            outcome = .dead(
                DeliveryFailure(
                    .unreadable,
                    message: "\(destination.name) can't put ids into the payload of \(kind.name): \(error); edit or "
                        + "discard the entry"))
        }
        let now = clock.now()
        let attempt = Attempt(pending: pending, began: now, ended: now)
        return [Answered(attempt: attempt, answer: Delivery(.delivered), outcome: outcome)]
    }

    private func begins(_ lease: Lease, at now: Uptime) -> Bool {
        let (begins, needsLook) = state.withLock { state in
            (state.schedule.begins(lease, at: now), state.schedule.needsLook(lease.lane.destination))
        }
        if needsLook { wakeUp.signal() }
        return begins
    }

    private func release(_ lease: Lease, hasPermit: Bool = true, hasSucceeded: Bool = false) {
        let now = uptime.now()
        let isWanted = state.withLock {
            $0.release(lease, hasPermit: hasPermit, hasSucceeded: hasSucceeded, at: now)
        }
        if isWanted { wakeUp.signal() }
    }

    private func ended(_ lease: Lease) {
        let waiting = state.withLock { state -> [Promise<Void>] in
            let weight = state.held.removeValue(forKey: lease.number)?.weight ?? 0
            state.schedule.ended(lease.lane.destination, weight: weight)
            guard state.held.isEmpty else { return [] }
            defer { state.untilFree = [] }
            return state.untilFree
        }
        for promise in waiting { promise.fulfil() }
        wakeUp.signal()
    }
}

extension Destination {
    /// Returns one answer for each entry, even if the destination returns fewer.
    fileprivate func answers(to batch: [PendingDelivery]) async -> [Delivery] {
        var answers: [Delivery] = []
        if let batching = self as? any BatchDestination {
            answers = await batching.deliver(batch.map(\.entry))
        } else {
            for pending in batch { answers.append(await deliver(pending.entry, attempt: pending.attempts + 1)) }
        }
        let given = answers.count
        while answers.count < batch.count {
            let message =
                "\(name) returned results for \(given) of \(batch.count) entries; it must return one for each"
            answers.append(Delivery(.retry(DeliveryFailure(.noAnswer, message: message))))
        }
        return answers
    }
}
