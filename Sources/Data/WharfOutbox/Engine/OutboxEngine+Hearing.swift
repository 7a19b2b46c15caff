internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// The effects of a request's answers on its destination.
private struct Heard {
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
    func hear(
        _ answers: [Delivery], under lease: Lease, _ pass: Schedule.Pass, since before: Schedule.Before
    ) -> Bool {
        // The failure of a cancelled request says nothing about the destination.
        let isAbandoned = Task.isCancelled
        let (now, isOnline) = (uptime.now(), connectivity?.isOnline)
        let heard = state.withLock { state in
            random.draw { random in
                state.schedule.hear(
                    answers, under: lease, pass, since: before, isAbandoned: isAbandoned, isOnline: isOnline, at: now,
                    using: &random)
            }
        }
        if heard.takesMore { wakeUp.signal() }
        if let failure = heard.held {
            readers.tell([.held(destination: lease.lane.destination, failure)])
            if heard.isRefused { report(.credentialRefused(by: lease.lane.destination, failure)) }
        }
        // The network may have come back before this lane was recorded as offline. Its return then
        // closed no breaker, so the state is checked again.
        if heard.isOffline, isOnline == false, connectivity?.isOnline == true { reopen() }
        return heard.isAlone
    }
}

extension Schedule {
    fileprivate mutating func hear(
        _ answers: [Delivery], under lease: Lease, _ pass: Pass, since before: Before, isAbandoned: Bool,
        isOnline: Bool?, at now: Uptime, using random: inout some RandomNumberGenerator
    ) -> Heard {
        let (name, lane) = (lease.lane.destination, lease.lane.name)
        var heard = Heard()
        // Successes first: the network may have gone away in the middle of a batch.
        for answer in answers where answer.verdict.isAnswer {
            if reached(name, lane: lane, isServed: answer.health == .working) { heard.takesMore = true }
        }
        // The lane's own answers say nothing about other lanes, so they are subtracted.
        let reached = answers.count { $0.verdict.isAnswer }
        let served = answers.count { $0.verdict.isAnswer && $0.health == .working }
        if let pause = answers.compactMap(\.quotaResetsAfter).max() {
            quotaUsedUp(name, for: pause, at: now, using: &random)
        }
        // A batch is one request, so one failure stands for all of its answers.
        guard !isAbandoned, let failed = answers.last(where: \.isOfDestination) else { return heard }
        var isHeld = false
        switch failed.health {
        case .working, .unknown: return heard
        case .throttled(let after): quotaUsedUp(name, for: after, at: now, using: &random)
        case .offline:
            heard.isAlone = isAlone(name, lane: lane, since: before.answers + reached)
            guard !heard.isAlone else { return heard }
            heard.isOffline = true
            isHeld = offline(name, pass, isOnline: isOnline, at: now, using: &random)
        case .unauthenticated:
            heard.isAlone = isRefusedAlone(name, lane: lane, since: before.served + served)
            guard !heard.isAlone else { return heard }
            heard.isRefused = true
            isHeld = unauthenticated(name, pass, at: now, using: &random)
        case .failing(let after):
            isHeld = failing(
                name, lane: lane, lease.number, pass, after: after, since: before.served + served, at: now,
                using: &random)
        case .limited(let after):
            isHeld = limited(name, lease.number, after: after, at: now, using: &random)
        }
        if isHeld { heard.held = failed.verdict.failure }
        return heard
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
            message: "\(destination) refuses the credential, and is probed until it accepts it; sign in, and call "
                + "credentialChanged(): \(failure)",
            cause: failure)
    }
}

extension Incident.Code {
    /// A destination refused the app's credential. Its entries wait.
    public static let credentialRefused = Self("credentialRefused")
}
