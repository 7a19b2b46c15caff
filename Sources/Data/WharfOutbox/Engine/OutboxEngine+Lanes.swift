internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// An attempt with its answer and consequence.
struct AnsweredAttempt {
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
        _ lane: LeasedLane, at destination: any Destination, _ permits: AsyncSemaphore,
        _ generation: Schedule.Generation,
        waiting: Duration
    ) async {
        var limits = destination.batchLimits
        limits.wait = waiting
        var queue = LaneQueue(lane.deliveries, limits: limits)
        var isFirst = true
        // Deliveries whose settlements the disk had no room for.
        var postponed: [AnsweredAttempt] = []
        while true {
            // The lane counts as a permit holder since it was leased. Each way out of this turn has
            // to release that.
            let permit = await permits.acquireUnlessCancelled()
            let uptime = uptime.now()
            // A lane that had to wait for its permit is no longer first: it continues only if the
            // lanes before it opened no breaker.
            let mayContinue =
                permit != .cancelled && !Task.isCancelled
                && state.withLock {
                    $0.mayContinue(lane.lease, generation, isFirst: isFirst && permit == .immediate, at: uptime)
                }
            // Entries may have expired while the lane waited, so the wall clock is read after the
            // permit.
            var batch = mayContinue ? queue.next(at: clock.now()) : []
            let filledIn = fillIn(batch, by: destination)
            // Filling in ids sends no request, so it does not count for the rate limit.
            if filledIn.isEmpty, !batch.isEmpty, !beginRequest(lane.lease, at: uptime) { batch = [] }
            if batch.isEmpty {
                release(lane.lease, hasPermit: permit != .cancelled)
                // The lane was not tried, so it may be reached although others were not.
                if isFirst { state.withLock { $0.schedule.lookForUntried(of: lane.lease.lane.destination) } }
                // Committed even without a settlement: it gives the lease back, which other
                // processes wait for.
                _ = await commit(postponed, under: lane.lease, isOver: true)
                break
            }
            isFirst = false
            let answered =
                filledIn.isEmpty ? await deliver(batch, to: destination, under: lane.lease, generation) : filledIn
            // The rest of the batch comes with the next lease.
            let isOver = queue.settle(answered.map(\.outcome)) || !filledIn.isEmpty
            // Released before the commit. The lane that gets the permit has to see this answer, and
            // the commit may let this lane be leased again at once.
            release(lane.lease, hasSucceeded: answered.contains { $0.answer.health == .working })
            postponed += answered
            let result = await commit(postponed, under: lane.lease, isOver: isOver)
            if result == .committed { postponed = [] }
            // After a failed commit the journal does not know these deliveries. The next entry of
            // the lane must not overtake them.
            guard result != .failed, !isOver else { break }
            state.withLock { $0.schedule.acquirePermit(lane.lease.lane.destination) }
        }
        endLane(lane.lease)
    }

    private func deliver(
        _ batch: [PendingDelivery], to destination: any Destination, under lease: Lease,
        _ generation: Schedule.Generation
    ) async -> [AnsweredAttempt] {
        readers.tell { batch.map { .attempted($0.subject) } }
        let name = lease.lane.destination
        // Read before the request. Successes of other lanes after this moment show that this lane
        // alone has failed.
        let (before, policy) = state.withLock {
            ($0.schedule.successCounts(name), $0.policies[name] ?? DeliveryPolicy())
        }
        let (began, start) = (clock.now(), uptime.now())
        let answers = zip(
            // Lower layers see that an outbox retries, and do not retry by themselves.
            batch, await OutboxAttempt.$isCurrent.withValue(true) { await destination.answers(to: batch) }
        ).map(classify)
        let duration = Duration.nanoseconds(uptime.now().nanoseconds - start.nanoseconds)
        readers.tell { batch.map { .answered($0.subject, after: duration) } }
        // Before the permit is released: the next lane must see an opened breaker.
        let isAlone = recordAnswers(answers, under: lease, generation, since: before)
        var answered: [AnsweredAttempt] = []
        for (pending, answer) in zip(batch, answers) {
            let merged = await merging(answer, of: pending, by: destination)
            let attempt = Attempt(
                pending: pending, began: began, ended: clock.now(), isAlone: isAlone, isAbandoned: Task.isCancelled)
            let retry = policy.retry(of: pending.entry, otherwise: retry)
            let outcome = random.draw { attempt.outcome(of: answer.verdict, merged: merged, retry, using: &$0) }
            answered.append(AnsweredAttempt(attempt: attempt, answer: answer, outcome: outcome))
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
    private func fillIn(_ batch: [PendingDelivery], by destination: any Destination) -> [AnsweredAttempt] {
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
        return [AnsweredAttempt(attempt: attempt, answer: Delivery(.delivered), outcome: outcome)]
    }

    private func beginRequest(_ lease: Lease, at now: Uptime) -> Bool {
        let (begins, needsAlarm) = state.withLock { state in
            (state.schedule.beginRequest(lease, at: now), state.schedule.needsAlarm(lease.lane.destination))
        }
        if needsAlarm { wakeUp.signal() }
        return begins
    }

    private func release(_ lease: Lease, hasPermit: Bool = true, hasSucceeded: Bool = false) {
        let now = uptime.now()
        let isWanted = state.withLock {
            $0.release(lease, hasPermit: hasPermit, hasSucceeded: hasSucceeded, at: now)
        }
        if isWanted { wakeUp.signal() }
    }

    private func endLane(_ lease: Lease) {
        // The lane goes and the promises are taken in one step. `endLanes()` in between could add a
        // promise that no lane fulfils.
        let waiting = state.withLock { state -> [Promise<Void>] in
            let weight = state.heldLanes.removeValue(forKey: lease.number)?.weight ?? 0
            state.schedule.endLane(lease.lane.destination, weight: weight)
            guard state.heldLanes.isEmpty else { return [] }
            defer { state.untilFree = [] }
            return state.untilFree
        }
        // Outside of the lock, because the callers that resume take it.
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
