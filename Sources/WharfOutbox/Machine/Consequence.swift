internal import WharfCore

/// What follows from a destination's answer, as a value: no clock, network or journal decides
/// anything here.
enum Consequence: Hashable {
    case delivered
    /// The attempt counts; it stays at the head of its lane until then.
    case retry(at: WallTime, DeliveryFailure)
    /// The destination takes no requests: no network, a credential that it refuses, or too many
    /// requests. The attempt does not count; it goes on when the destination takes requests again.
    case held(DeliveryFailure)
    /// Nobody waits for the answer any more, and there was none. The attempt does not count.
    case abandoned(DeliveryFailure)
    /// Somebody has changed it meanwhile, and what both want is sent under a new key.
    case merged(Rewrite, at: WallTime, DeliveryFailure)
    /// It was not sent: ids that it is owed had to be put in first. It goes on at once.
    case filledIn(Rewrite)
    case conflict(DeliveryFailure, theirs: [UInt8]?)
    case dead(DeliveryFailure)

    /// Whether it stays at the head of its lane, so that nothing behind it is delivered now.
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

    /// nil where nothing is settled by it.
    ///
    /// - Parameter due: since when it is due. What counts no attempt stays due: what it waits for
    ///   is not a time.
    func verdict(due: WallTime) -> Settlement.Verdict? {
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

/// One attempt, from its beginning to the answer.
struct Attempt {
    let pending: PendingDelivery
    let began: WallTime
    let ended: WallTime
    /// Whether other lanes reached the receiver, or were served, while this one was not.
    var isAlone = false
    /// Whether its task was cancelled.
    var isAbandoned = false

    /// Those that count, with this one.
    var attempts: Int { pending.attempts + 1 }

    /// - Parameter merged: what the destination makes of a conflict, and the key to send it under;
    ///   nil where it makes nothing.
    func consequence(
        of verdict: Delivery.Verdict, merged: (payload: [UInt8], key: IdempotencyKey)? = nil, _ retry: OutboxRetry,
        using random: inout some RandomNumberGenerator
    ) -> Consequence {
        switch verdict {
        case .delivered: return .delivered
        case .retry(let failure, let after): return again(failure, after: after, retry, using: &random)
        case .offline(let failure) where isAlone, .needsAuthentication(let failure) where isAlone:
            return again(failure, retry, using: &random)
        case .offline(let failure), .needsAuthentication(let failure), .rateLimited(let failure, _):
            return isAbandoned ? .abandoned(failure) : .held(failure)
        case .conflict(let failure, let theirs):
            if isAbandoned { return .abandoned(failure) }
            guard let merged, exhausted(failure, retry) == nil else {
                return .conflict(
                    DeliveryFailure(.conflict, message: failure.message, status: failure.status), theirs: theirs)
            }
            // The first is sent at once; who conflicts each time waits like others that fail.
            let isFirst = pending.lastFailure?.code != .conflict
            let pause = isFirst ? .zero : retry.pause(afterFailures: attempts, using: &random)
            let rewrite = Rewrite(pending.entry.id, payload: merged.payload, key: merged.key, base: theirs)
            let conflict = DeliveryFailure(.conflict, message: failure.message, status: failure.status)
            return .merged(rewrite, at: ended + pause, conflict)
        case .rejected(let failure): return .dead(failure)
        }
    }

    /// Since when an attempt that does not count is due, also where the clock was set back
    /// meanwhile. A lane that was held goes behind the lanes that were not tried yet: however many
    /// they are, they keep no other from the next probe.
    func due(after consequence: Consequence) -> WallTime {
        if case .held = consequence { ended } else { min(pending.nextAttempt, ended) }
    }

    func settlement(_ consequence: Consequence, under lease: Lease) -> Settlement? {
        consequence.verdict(due: due(after: consequence)).map {
            Settlement(
                pending.id, under: lease, $0, attempts: consequence.counts ? attempts : pending.attempts,
                attemptedAt: began)
        }
    }

    private func again(
        _ failure: DeliveryFailure, after: Duration? = nil, _ retry: OutboxRetry,
        using random: inout some RandomNumberGenerator
    ) -> Consequence {
        if isAbandoned { return .abandoned(failure) }
        // Attempts that failed in another way tell nothing of a request in progress.
        let isStill = pending.lastFailure?.code == .inProgress || retry.attemptsInProgress <= 1
        if failure.code == .inProgress, isStill, attempts >= retry.attemptsInProgress {
            let message = "after \(attempts) attempts it is a conflict of the receiver, and no request in progress: "
            return .conflict(
                DeliveryFailure(.conflict, message: message + failure.message, status: failure.status), theirs: nil)
        }
        if let given = exhausted(failure, retry) { return .dead(given) }
        let pause = retry.pause(afterFailures: attempts, retryAfter: after, using: &random)
        return .retry(at: ended + pause, failure)
    }

    private func exhausted(_ failure: DeliveryFailure, _ retry: OutboxRetry) -> DeliveryFailure? {
        retry.exhaustion(attempts: attempts, since: pending.countedSince ?? began, at: ended).map {
            DeliveryFailure(.exhausted, message: "\($0); the last failed as \(failure)", status: failure.status)
        }
    }
}

extension Delivery.Verdict {
    /// Whether the receiver has said so, and not the way to it or what stands before that.
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
