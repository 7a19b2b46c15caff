internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// An attempt, what was answered, and what follows from it.
struct Answered {
    let attempt: Attempt
    let answer: Delivery
    let consequence: Consequence
}

extension OutboxEngine {
    /// Delivers what was leased of a lane, in order, until one has to wait; then gives it back.
    ///
    /// - Parameter permits: the destination's. The lane holds one while a request is in flight, and releases it before the
    ///   settlement is committed.
    func run(
        _ lane: LeasedLane, at destination: any Destination, _ permits: AsyncSemaphore, _ pass: Schedule.Pass,
        waiting: Duration
    ) async {
        var limits = destination.batchLimits
        limits.wait = waiting
        var turn = LaneTurn(lane.deliveries, limits: limits)
        var isFirst = true
        while true {
            let permit = await permits.acquireUnlessCancelled()
            let uptime = uptime.now()
            // Who has waited knows what became of those before.
            let mayGoOn =
                permit != .cancelled && !Task.isCancelled
                && state.withLock { $0.mayGoOn(lane.lease, pass, isFirst: isFirst && permit == .immediate, at: uptime) }
            let batch = mayGoOn ? turn.next(at: clock.now()) : []
            if batch.isEmpty {
                release(permit == .cancelled ? nil : permits, of: lane.lease)
                // What was not tried may be reached where others were not.
                if isFirst { state.withLock { $0.schedule.foundUntried(of: lane.lease.lane.destination) } }
                await settle([Parcel(released: lane.lease)])
                break
            }
            isFirst = false
            let filledIn = fillIn(batch, by: destination)
            let answered =
                filledIn.isEmpty ? await deliver(batch, to: destination, of: lane.lease.lane, pass) : filledIn
            // What was to be sent with the one that was filled in comes with the next lease.
            let isOver = turn.settle(answered.map(\.consequence)) || !filledIn.isEmpty
            // First: the lane that gets the permit has to know of it, and a lane that the commit gives
            // back may be leased again at once.
            let pauses = answered.contains { if case .needsAuthentication = $0.consequence { true } else { false } }
            if pauses { state.withLock { $0.schedule.paused() } }
            release(permits, of: lane.lease)
            let isCommitted = await commit(answered, under: lane.lease, isOver: isOver)
            if pauses { state.withLock { $0.schedule.pauseIsKept() } }
            guard isCommitted, !isOver else { break }
            state.withLock { $0.schedule.sitsDown(lane.lease.lane.destination) }
        }
        ended(lane.lease)
    }

    private func deliver(
        _ batch: [PendingDelivery], to destination: any Destination, of lane: Lease.Lane, _ pass: Schedule.Pass
    ) async -> [Answered] {
        readers.tell { batch.map { .attempted($0.subject) } }
        let (signIns, before) = state.withLock { ($0.signIns, $0.schedule.answers(of: lane.destination)) }
        let began = clock.now()
        let answers = zip(batch, await destination.answers(to: batch)).map(classify)
        let isAlone = hear(answers, of: lane, pass, since: before)
        var answered: [Answered] = []
        for (pending, answer) in zip(batch, answers) {
            let merged = await merging(answer, of: pending, by: destination)
            let attempt = Attempt(
                pending: pending, began: began, ended: clock.now(),
                isSignInOld: state.withLock { $0.signIns != signIns }, isAlone: isAlone, isAbandoned: Task.isCancelled)
            let consequence = random.draw { attempt.consequence(of: answer.verdict, merged: merged, retry, using: &$0) }
            answered.append(Answered(attempt: attempt, answer: answer, consequence: consequence))
        }
        return answered
    }

    /// What answers say of the way to a destination.
    ///
    /// - Returns: whether others were reached while those of this lane were not.
    private func hear(
        _ answers: [Delivery], of lane: Lease.Lane, _ pass: Schedule.Pass, since before: Int
    ) -> Bool {
        let (uptime, isOnline) = (uptime.now(), connectivity?.isOnline)
        let isOffline = !Task.isCancelled && answers.contains(where: \.verdict.isOffline)
        let (isOpened, isAlone) = state.withLock { state in
            var isOpened = false
            for answer in answers where answer.verdict.isAnswer {
                if state.schedule.reached(lane.destination, lane: lane.name) { isOpened = true }
            }
            guard isOffline else { return (isOpened, false) }
            // Its own answers say nothing of others: the network may have gone away in the middle of a batch.
            let own = answers.count { $0.verdict.isAnswer }
            let isAlone = state.schedule.isAlone(lane.destination, lane: lane.name, since: before + own)
            if !isAlone {
                random.draw {
                    state.schedule.offline(lane.destination, pass, isOnline: isOnline, at: uptime, using: &$0)
                }
            }
            return (isOpened, isAlone)
        }
        if isOpened { wakeUp.signal() }
        // It may have come back before anybody could see that this one waits.
        if isOffline, !isAlone, isOnline == false, connectivity?.isOnline == true { reopen() }
        return isAlone
    }

    private func merging(
        _ answer: Delivery, of pending: PendingDelivery, by destination: any Destination
    ) async -> (payload: [UInt8], key: IdempotencyKey)? {
        // Other destinations may have had the bytes, or have them on their way: a person has to look at that.
        guard case .conflict(_, let theirs) = answer.verdict, pending.entry.targets.count == 1 else { return nil }
        let payload = await destination.merging(ConflictRecord(entry: pending.entry, theirs: theirs))
        return payload.map { ($0, IdempotencyKey(newID().text)) }
    }

    /// Puts ids into the first of a batch that is owed some, in the place of sending it.
    ///
    /// - Returns: empty where nothing lacks ids.
    private func fillIn(_ batch: [PendingDelivery], by destination: any Destination) -> [Answered] {
        guard let pending = batch.first(where: { !$0.owed.isEmpty }) else { return [] }
        let kind = pending.entry.kind
        let consequence: Consequence
        do {
            let payload = try destination.rewriting(pending.entry.payload, of: kind, ids: pending.owed)
            consequence = .filledIn(Rewrite(pending.entry.id, payload: payload, owed: pending.owed))
        } catch {
            consequence = .dead(
                DeliveryFailure(
                    .unreadable,
                    message: "expected a payload of \(kind.name) into which ids can be put, found one that "
                        + "\(destination.name) can't read: \(error); edit or discard it"))
        }
        let now = clock.now()
        let attempt = Attempt(pending: pending, began: now, ended: now)
        return [Answered(attempt: attempt, answer: Delivery(.delivered), consequence: consequence)]
    }

    /// - Parameter permits: nil if the lane has got none.
    private func release(_ permits: AsyncSemaphore?, of lease: Lease) {
        let isWanted = state.withLock { $0.schedule.standsUp(lease.lane.destination) }
        permits?.release()
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
    /// One for each of the batch, whatever it says.
    fileprivate func answers(to batch: [PendingDelivery]) async -> [Delivery] {
        var answers: [Delivery] = []
        if let batching = self as? any BatchDestination {
            answers = await batching.deliver(batch.map(\.entry))
        } else {
            for pending in batch { answers.append(await deliver(pending.entry)) }
        }
        let given = answers.count
        while answers.count < batch.count {
            let message = "expected an answer for each of \(batch.count) entries, found \(given) from \(name)"
            answers.append(Delivery(.retry(DeliveryFailure(.noAnswer, message: message))))
        }
        return answers
    }
}
