public import WharfCore

/// How many events there were, and what became of them. None goes away without a number here: what
/// was kept for a sink and is not pending, dead, dropped, withdrawn or a dead letter that went for
/// newer ones was delivered, or discarded by a person.
public struct AnalyticsCounts: Hashable, Sendable {
    /// One sink's share, as the outbox has it: of earlier processes too.
    public struct Sink: Hashable, Sendable {
        /// Waiting, or on their way.
        public var pending = 0
        /// Refused by the sink: see the outbox's dead letters.
        public var dead = 0
        /// Dropped by their delivery class, since the outbox was made.
        public var dropped: [DroppedDelivery.Reason: Int] = [:]
        /// Dead letters that were discarded for newer ones, since the outbox was made.
        ///
        /// If two processes do that at one moment it may be fewer. If consent is withdrawn at that
        /// moment, one may be counted in both.
        public var deadDropped = 0
        /// Discarded by ``Analytics/setConsent(_:)``, since ``Analytics`` was made.
        ///
        /// Events of earlier processes are among them. One that arrived at the sink just then may
        /// be, too.
        public var withdrawn = 0

        /// Creates a share without events.
        public init() {}
    }

    /// Since ``Analytics`` was made, as are the next ones.
    public var kept = 0
    /// Left out by stages, at every sink.
    public var leftOut = 0
    /// Events that were refused for want of consent.
    public var withoutConsent = 0
    /// By the reason. Each was told as an ``WharfCore/Incident/Code/eventLost``, or thrown.
    public var lost: [AnalyticsError.Code: Int] = [:]
    /// By the sink's name.
    public var sinks: [String: Sink] = [:]

    /// Creates counts without events.
    public init() {}
}

extension Incident.Code {
    /// An event that was posted was not kept; the `cause` says why.
    public static let eventLost = Self("eventLost")
    /// Anonymous id and session could not be stored; the event is kept.
    public static let sessionNotStored = Self("sessionNotStored")
    /// The oldest of too many dead letters could not be discarded.
    ///
    /// It is tried again when the next event is kept.
    public static let deadLettersNotDiscarded = Self("deadLettersNotDiscarded")
}

extension AnalyticsCounts {
    mutating func add(_ tracked: Tracked) {
        switch tracked {
        case .kept: kept += 1
        case .leftOut: leftOut += 1
        case .withoutConsent: withoutConsent += 1
        }
    }

    mutating func add(withdrawn deliveries: [DeliveryID]) {
        for delivery in deliveries { sinks[delivery.destination, default: Sink()].withdrawn += 1 }
    }

    mutating func add(_ counts: OutboxCounts, deadDropped: Int, of sink: String) {
        let route = OutboxCounts.Route(sink, kind: AnalyticsDestination.kind.name)
        var share = sinks[sink] ?? Sink()
        share.pending = counts.pending[route] ?? 0
        share.dead = counts.dead[route] ?? 0
        share.dropped = counts.dropped[route] ?? [:]
        share.deadDropped = deadDropped
        sinks[sink] = share
    }
}
