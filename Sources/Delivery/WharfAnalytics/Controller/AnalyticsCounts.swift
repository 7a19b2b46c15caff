public import WharfCore
public import WharfStorage

/// The numbers of events by their results.
///
/// Every event is counted. An event kept for a sink is pending, dead, dropped, withdrawn, or a dead
/// letter discarded for newer ones. Otherwise it was delivered, or discarded by a person.
public struct AnalyticsCounts: Hashable, Sendable {
    /// One sink's share, from the outbox. It includes events of earlier processes.
    public struct Sink: Hashable, Sendable {
        /// The events that wait or are in flight.
        public var pending = 0
        /// The events that the sink refused: see the outbox's dead letters.
        public var dead = 0
        /// The events dropped by their delivery class, since the outbox was created.
        public var dropped: [DroppedDelivery.Reason: Int] = [:]
        /// The dead letters discarded for newer ones, since the outbox was created.
        ///
        /// The number may be too small if two processes discard at the same moment. If consent is
        /// withdrawn at that moment, an event may be counted in both numbers.
        public var deadDropped = 0
        /// The events discarded by ``Analytics/setConsent(_:)``.
        ///
        /// The number counts from the creation of ``Analytics``.
        ///
        /// Events of earlier processes are among them. An event that arrived at the sink at that
        /// moment may be, too.
        public var withdrawn = 0

        /// Creates a share without events.
        public init() {}
    }

    /// The events kept since ``Analytics`` was created. The next numbers count from then too.
    public var kept = 0
    /// The events that stages dropped for every sink.
    public var leftOut = 0
    /// The events refused for want of consent.
    public var withoutConsent = 0
    /// The lost events by reason. Each was reported as ``WharfCore/Incident/Code/eventLost`` or
    /// thrown.
    public var lost: [AnalyticsError.Code: Int] = [:]
    /// The share of each sink, by its name.
    public var sinks: [String: Sink] = [:]

    /// Creates counts without events.
    public init() {}
}

extension Incident.Code {
    /// A posted event was not kept; `cause` is the error.
    public static let eventLost = Self("eventLost")
    /// The anonymous id and the session could not be stored; the event is kept.
    public static let sessionNotStored = Self("sessionNotStored")
    /// The oldest of too many dead letters could not be discarded.
    ///
    /// The next kept event tries again.
    public static let deadLettersNotDiscarded = Self("deadLettersNotDiscarded")
}

extension AnalyticsCounts {
    mutating func add(_ tracked: TrackingResult) {
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
