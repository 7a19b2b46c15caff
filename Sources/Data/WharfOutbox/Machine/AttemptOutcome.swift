internal import WharfCore
internal import WharfStorage

/// The consequence of a destination's answer, as a pure value.
///
/// It is computed without a clock, network or journal.
enum AttemptOutcome: Hashable {
    case delivered
    /// The attempt counts. The delivery stays at the head of its lane until the given time.
    case retry(at: WallTime, DeliveryFailure)
    /// The destination takes no requests: offline, credential refused, or rate limited.
    ///
    /// The attempt does not count. The delivery continues when the destination takes requests
    /// again.
    case held(DeliveryFailure)
    /// The attempt was cancelled, and the entry neither delivered nor refused.
    ///
    /// The attempt does not count.
    case abandoned(DeliveryFailure)
    /// The destination merged a conflicting edit; the result is sent under a new key.
    case merged(Rewrite, at: WallTime, DeliveryFailure)
    /// The entry was not sent: the ids that it is owed were put into its payload first.
    ///
    /// It is due again at once.
    case filledIn(Rewrite)
    case conflict(DeliveryFailure, theirs: [UInt8]?)
    case dead(DeliveryFailure)

    /// Whether the delivery stays at the head of its lane and blocks those behind it.
    var holdsLane: Bool {
        switch self {
        case .retry, .held, .abandoned, .merged, .filledIn: true
        case .delivered, .conflict, .dead: false
        }
    }

    var counts: Bool {
        switch self {
        case .held, .abandoned, .filledIn: false
        case .delivered, .retry, .merged, .conflict, .dead: true
        }
    }

    /// The outcome to commit; nil if nothing is settled.
    ///
    /// - Parameter due: the time since which the delivery is due. An attempt that does not count
    ///   leaves the delivery due, because it waits for an event and not for a time.
    func settlementOutcome(due: WallTime) -> Settlement.Outcome? {
        switch self {
        case .delivered: .delivered
        case .retry(let time, let failure), .merged(_, let time, let failure): .retry(at: time, failure)
        case .held(let failure), .abandoned(let failure): .retry(at: due, failure)
        case .filledIn: nil
        case .conflict(let failure, let theirs): .conflict(failure, theirs: theirs)
        case .dead(let failure): .dead(failure)
        }
    }
}

/// One attempt, from the request to the answer.
struct Attempt {
    let pending: PendingDelivery
    let began: WallTime
    let ended: WallTime
    /// Whether other lanes reached the receiver, or were served, while this one was not.
    var isAlone = false
    /// Whether the attempt's task was cancelled.
    var isAbandoned = false

    /// The number of counted attempts, this one included.
    var attempts: Int { pending.attempts + 1 }

    /// - Parameter merged: the destination's merge of a conflict, and the key to send it under; nil
    ///   if it merges nothing.
    func outcome(
        of verdict: Delivery.Verdict, merged: (payload: [UInt8], key: IdempotencyKey)? = nil, _ retry: OutboxRetry,
        using random: inout some RandomNumberGenerator
    ) -> AttemptOutcome {
        switch verdict {
        case .delivered: return .delivered
        case .retry(let failure, let after): return again(failure, after: after, retry, using: &random)
        // A hold would never end, because the destination works for other lanes. The attempt
        // counts, so that it ends as a dead letter.
        case .offline(let failure) where isAlone, .needsAuthentication(let failure) where isAlone:
            return again(failure, retry, using: &random)
        case .offline(let failure), .needsAuthentication(let failure), .rateLimited(let failure, _):
            // An abandoned attempt keeps its place among the due lanes. A held one moves behind
            // them.
            return isAbandoned ? .abandoned(failure) : .held(failure)
        case .conflict(let failure, let theirs):
            if isAbandoned { return .abandoned(failure) }
            // An entry that conflicts until its retries are used up becomes a dead letter, so two
            // clients can't merge forever.
            guard let merged, exhausted(failure, retry) == nil else {
                return .conflict(
                    DeliveryFailure(.conflict, message: failure.message, status: failure.status), theirs: theirs)
            }
            // The first merge is sent at once. An entry that conflicts each time backs off like any
            // other failure.
            let isFirst = pending.lastFailure?.code != .conflict
            let pause = isFirst ? .zero : retry.pause(afterFailures: attempts, using: &random)
            // The receiver remembers the old key with its old bytes, so other bytes need another
            // key.
            let rewrite = Rewrite(pending.entry.id, payload: merged.payload, key: merged.key, base: theirs)
            let conflict = DeliveryFailure(.conflict, message: failure.message, status: failure.status)
            return .merged(rewrite, at: ended + pause, conflict)
        // The same bytes would be refused again.
        case .rejected(let failure): return .dead(failure)
        }
    }

    /// The time from which an attempt that does not count is due again.
    ///
    /// A held lane sorts behind the lanes that were not tried yet. Otherwise many held lanes would
    /// keep the others from every probe. `min` keeps a delivery due even if the wall clock was set
    /// back during the attempt.
    func due(after outcome: AttemptOutcome) -> WallTime {
        if case .held = outcome { ended } else { min(pending.nextAttempt, ended) }
    }

    func settlement(_ outcome: AttemptOutcome, under lease: Lease) -> Settlement? {
        outcome.settlementOutcome(due: due(after: outcome)).map {
            Settlement(
                pending.id, under: lease, $0, attempts: outcome.counts ? attempts : pending.attempts,
                attemptedAt: began)
        }
    }

    private func again(
        _ failure: DeliveryFailure, after: Duration? = nil, _ retry: OutboxRetry,
        using random: inout some RandomNumberGenerator
    ) -> AttemptOutcome {
        if isAbandoned { return .abandoned(failure) }
        // Attempts that failed in another way do not show that the request was in progress.
        let isStill = pending.lastFailure?.code == .inProgress || retry.attemptsInProgress <= 1
        if failure.code == .inProgress, isStill, attempts >= retry.attemptsInProgress {
            let message =
                "the receiver reported a request in progress for \(attempts) attempts, which is treated as a conflict: "
            return .conflict(
                DeliveryFailure(.conflict, message: message + failure.message, status: failure.status), theirs: nil)
        }
        if let given = exhausted(failure, retry) { return .dead(given) }
        let pause = retry.pause(afterFailures: attempts, retryAfter: after, using: &random)
        return .retry(at: ended + pause, failure)
    }

    private func exhausted(_ failure: DeliveryFailure, _ retry: OutboxRetry) -> DeliveryFailure? {
        // The first attempt has no earlier one to count from.
        retry.exhaustion(attempts: attempts, since: pending.countedSince ?? began, at: ended).map {
            DeliveryFailure(.exhausted, message: "\($0); the last failure: \(failure)", status: failure.status)
        }
    }
}

extension Delivery.Verdict {
    /// Whether the receiver itself gave the verdict, and not the network or the client.
    var isAnswer: Bool {
        switch self {
        case .delivered, .conflict: true
        case .retry(let failure, _): failure.code != .noAnswer || failure.status != nil
        case .rateLimited(let failure, _): failure.status != nil
        case .needsAuthentication(let failure), .rejected(let failure): failure.status != nil
        case .offline: false
        }
    }
}
