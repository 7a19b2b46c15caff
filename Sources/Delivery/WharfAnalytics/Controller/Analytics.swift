internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
public import WharfStorage

/// Tracks events into the outbox, which delivers them to any number of sinks.
///
/// ```swift
/// let identity = try await AnalyticsIdentity(in: store)
/// let analytics = Analytics(
///     outbox: outbox, sinks: [.segment(writeKey: "…", transport: client.transport)], identity: identity,
///     consent: ConsentState(Consent(.statistics)))          // as the app has kept it
///
/// try await analytics.identify("u-17", traits: ["plan": "pro"])
/// try await analytics.track("Note Added", ["words": 12])    // in the outbox at return
/// analytics.post(screen: "Settings")                        // for callers that can't wait
/// try await analytics.flush()
/// try await analytics.reset()                               // the sign-out
/// ```
///
/// Events arrive at each sink in the order in which they were tracked and posted. Loss is bounded
/// and counted: see ``counts()``.
public final class Analytics: Sendable {
    let outbox: any Outbox
    let destinations: [AnalyticsDestination]
    /// The identity that events are sent under.
    public let identity: AnalyticsIdentity
    let stages: [any EventStage]
    let state: ConsentState
    /// The outbox's account: it never sends an event of another one.
    var account: Account? { outbox.account }
    let deliveryClass: DeliveryClass
    /// The most dead letters that are kept for each sink.
    let deadLimit: Int
    /// The largest event in bytes, in the outbox's form.
    let eventLimit: Int
    let queue: Mutex<TrackQueue>
    let count = Mutex(AnalyticsCounts())
    let clock: any WallClock
    let onIncident: IncidentHandler

    /// Creates analytics whose sinks have stages of their own.
    ///
    /// - Parameters:
    ///   - destinations: sinks with their stages. They are registered with the outbox.
    ///   - identity: if it is not in a store, anonymous id, user and session end with the process.
    public init(
        outbox: any Outbox, destinations: [AnalyticsDestination],
        identity: AnalyticsIdentity = AnalyticsIdentity(), consent: ConsentState,
        configuration: Configuration = Configuration()
    ) {
        self.outbox = outbox
        self.destinations = destinations
        self.identity = identity
        self.state = consent
        self.stages = configuration.stages
        self.deliveryClass = .bounded(configuration.waitingLimit)
        self.deadLimit = max(0, configuration.deadLetterLimit)
        self.eventLimit = configuration.eventLimit
        self.queue = Mutex(TrackQueue(limit: configuration.postedLimit))
        self.clock = configuration.clock
        self.onIncident = configuration.onIncident
        for destination in destinations { outbox.register(destination) }
    }

    /// Creates analytics for sinks, which are registered with the outbox.
    ///
    /// - Parameter identity: read from a store, so that it survives the process.
    public convenience init(
        outbox: any Outbox, sinks: [any AnalyticsSink], identity: AnalyticsIdentity, consent: ConsentState,
        configuration: Configuration = Configuration()
    ) {
        self.init(
            outbox: outbox, destinations: sinks.map { AnalyticsDestination($0, consent: consent) },
            identity: identity, consent: consent, configuration: configuration)
    }

    /// Tracks an event. It is in the outbox at return, unless it was not to be kept.
    ///
    /// The time of the session is stored by then too. Cancelling the task does not undo it.
    ///
    /// - Throws: ``AnalyticsError/Code/notEncodable``, ``AnalyticsError/Code/tooLarge``,
    ///   ``AnalyticsError/Code/storeFailed``; ``AnalyticsError/Code/emptyID`` if a stage has set an
    ///   empty id.
    @discardableResult
    public func track(_ event: some AnalyticsEvent) async throws(AnalyticsError) -> TrackingResult {
        try await keep(event.category) { () throws(AnalyticsError) in try EventDraft(event) }
    }

    /// Posts an event without waiting. A lost event is counted, and reported as an incident.
    public func post(_ event: some AnalyticsEvent) {
        post(event.category) { () throws(AnalyticsError) in try EventDraft(event) }
    }
}
