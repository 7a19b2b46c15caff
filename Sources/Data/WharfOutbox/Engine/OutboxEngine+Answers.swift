internal import Synchronization
public import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The effects of a request's answers on its destination.
private struct AnswerEffects {
    /// Whether more lanes may be leased.
    var takesMore = false
    /// Whether the lane alone has failed, while others were reached or served.
    var isAlone = false
    /// Whether a lane was not reached, and no other was.
    var isOffline = false
    /// The reason for a new hold or an open breaker; nil if nothing has changed.
    var held: DeliveryFailure?
    /// Whether the reason is a refused credential.
    var isRefused = false
}

extension OutboxEngine {
    /// Reports a request's answers to the schedule.
    ///
    /// - Returns: whether other lanes were reached, or served, while this one was not.
    func recordAnswers(
        _ answers: [Delivery], under lease: Lease, _ generation: Schedule.Generation,
        since before: Schedule.SuccessCounts
    ) -> Bool {
        // The failure of a cancelled request says nothing about the destination.
        let isAbandoned = Task.isCancelled
        let (now, isOnline) = (uptime.now(), connectivity?.isOnline)
        let effects = state.withLock { state in
            // Lock order: the engine's state, then the generator. No draw takes the state.
            random.draw { random in
                state.schedule.recordAnswers(
                    answers, under: lease, generation, since: before, isAbandoned: isAbandoned, isOnline: isOnline,
                    at: now,
                    using: &random)
            }
        }
        // Events and incidents are told outside of the lock: their handlers may call the engine.
        if effects.takesMore { wakeUp.signal() }
        if let failure = effects.held {
            readers.tell([.held(destination: lease.lane.destination, failure)])
            if effects.isRefused { report(.credentialRefused(by: lease.lane.destination, failure)) }
        }
        // The network may have come back before this lane was recorded as offline. Its return then
        // closed no breaker, so the state is checked again.
        if effects.isOffline, isOnline == false, connectivity?.isOnline == true { reopen() }
        return effects.isAlone
    }
}

extension Schedule {
    fileprivate mutating func recordAnswers(
        _ answers: [Delivery], under lease: Lease, _ generation: Generation, since before: SuccessCounts,
        isAbandoned: Bool,
        isOnline: Bool?, at now: Uptime, using random: inout some RandomNumberGenerator
    ) -> AnswerEffects {
        let (name, lane) = (lease.lane.destination, lease.lane.name)
        var effects = AnswerEffects()
        // Successes first: the network may have gone away in the middle of a batch.
        for answer in answers where answer.verdict.isAnswer {
            if recordReached(name, lane: lane, isServed: answer.health == .working) { effects.takesMore = true }
        }
        // The lane's own answers say nothing about other lanes, so they are subtracted.
        let reached = answers.count { $0.verdict.isAnswer }
        let served = answers.count { $0.verdict.isAnswer && $0.health == .working }
        if let pause = answers.compactMap(\.quotaResetsAfter).max() {
            recordQuotaExhausted(name, for: pause, at: now, using: &random)
        }
        // A batch is one request, so one failure stands for all of its answers.
        guard !isAbandoned, let failed = answers.last(where: \.isOfDestination) else { return effects }
        var isHeld = false
        switch failed.health {
        case .working, .unknown: return effects
        // The destination throttles itself, so the receiver shows no congestion and the concurrency
        // limit stays.
        case .throttled(let after): recordQuotaExhausted(name, for: after, at: now, using: &random)
        case .offline:
            effects.isAlone = recordUnreached(name, lane: lane, since: before.answers + reached)
            // Others were reached since this attempt began. The fault is this lane's host, so the
            // breaker stays closed.
            guard !effects.isAlone else { return effects }
            effects.isOffline = true
            isHeld = recordOffline(name, generation, isOnline: isOnline, at: now, using: &random)
        case .unauthenticated:
            effects.isAlone = recordRefusal(name, lane: lane, since: before.served + served)
            // Others were served since, so the credential is good and this lane lacks a permission.
            guard !effects.isAlone else { return effects }
            effects.isRefused = true
            isHeld = recordUnauthenticated(name, generation, at: now, using: &random)
        case .failing(let after):
            isHeld = recordFailure(
                name, lane: lane, lease.number, generation, after: after, since: before.served + served, at: now,
                using: &random)
        case .limited(let after):
            isHeld = recordRateLimit(name, lease.number, after: after, at: now, using: &random)
        }
        if isHeld { effects.held = failed.verdict.failure }
        return effects
    }
}

extension Delivery {
    /// Whether the answer concerns the destination, and not its entry alone.
    fileprivate var isOfDestination: Bool {
        switch health {
        case .working, .unknown: false
        case .offline, .unauthenticated, .failing, .limited, .throttled: true
        }
    }
}

extension Incident {
    fileprivate static func credentialRefused(by destination: String, _ failure: DeliveryFailure) -> Incident {
        Incident(
            .credentialRefused,
            message: "\(destination) refused the credential; its entries wait, and probes are sent; sign in, and call "
                + "credentialChanged(): \(failure)",
            cause: failure)
    }
}

extension Incident.Code {
    /// A destination refused the app's credential. Its entries wait.
    public static let credentialRefused = Self("credentialRefused")
}
