import WharfAnalytics
import WharfAnalyticsFakes
import WharfCore
import WharfFakes
import WharfJSON
import WharfStorage
import WharfStores

struct FilmOpened: AnalyticsEvent, Encodable {
    var name: String { "film.opened" }
    let film: Int
    var from = "search"
}

struct OfferSeen: AnalyticsEvent, Encodable {
    var name: String { "offer.seen" }
    var category: Consent.Category { .marketing }
    var offer = "spring"
}

/// The dependencies of analytics, without a network.
struct Stage {
    let clock = TestClock()
    let store = MemoryWriteStore()
    let outbox: RecordingOutbox
    let incidents = IncidentLog()
    let consent: ConsentState

    init(_ consent: Consent = Consent(.statistics), account: Account? = nil) {
        outbox = RecordingOutbox(store: store, account: account, clock: clock.wall)
        self.consent = ConsentState(consent)
    }

    func analytics(
        _ sinks: [any AnalyticsSink] = [RecordingSink()], stages: [any EventStage] = [],
        limit: Int = 10_000, posted: Int = 1_000
    ) -> Analytics {
        analytics(sinks.map { AnalyticsDestination($0, consent: consent) }, stages: stages, limit, posted)
    }

    /// A process over the store of an identity.
    func process(
        over store: any KeyValueStore, _ sinks: [any AnalyticsSink] = [RecordingSink()],
        stages: [any EventStage] = []
    ) async throws -> Analytics {
        Analytics(
            outbox: outbox, sinks: sinks, identity: try await AnalyticsIdentity(in: store), consent: consent,
            configuration: .init(stages: stages, clock: clock.wall, onIncident: incidents.handler))
    }

    func analytics(
        _ destinations: [AnalyticsDestination], stages: [any EventStage] = [],
        _ limit: Int = 10_000, _ posted: Int = 1_000
    ) -> Analytics {
        var configuration = Analytics.Configuration(
            stages: stages, clock: clock.wall, onIncident: incidents.handler)
        configuration.waitingLimit = limit
        configuration.postedLimit = posted
        return Analytics(outbox: outbox, destinations: destinations, consent: consent, configuration: configuration)
    }

    /// The enqueued entries, decoded as events.
    func events() throws -> [TrackedEvent] { try outbox.entries.map(Self.event) }

    static func event(_ entry: OutboxEntry) throws -> TrackedEvent {
        try JSON.decode(TrackedEvent.self, from: entry.payload)
    }

    /// The names of the events that are pending in the store.
    func pending(_ account: Account? = nil) async throws -> [String] {
        try await store.records(of: account, after: nil, limit: 10_000).map { try Self.event($0.entry).name }
    }

    /// Waits until the given number of entries are enqueued.
    func enqueued(_ count: Int) async throws { try await until { outbox.entries.count >= count } }
}

/// Yields until the condition holds, or until the test is cancelled.
func until(_ isSo: () -> Bool) async throws {
    while !isSo() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// Yields many times, so that other tasks run.
func pause() async {
    for _ in 0..<1_000 { await Task.yield() }
}

extension TrackedEvent {
    static func sample(
        _ number: Int = 1, name: String = "film.opened", category: Consent.Category = .statistics,
        properties: [String: JSONValue] = ["film": 7], context: [String: JSONValue] = [:]
    ) -> TrackedEvent {
        var event = TrackedEvent(
            id: "event-\(number)", name: name, time: WallTime(secondsSince1970: 1_000_000_000 + Int64(number)),
            category: category, properties: properties)
        event.context = context
        return event
    }
}

extension [KeyedEvent] {
    static func samples(_ count: Int) -> [KeyedEvent] {
        (0..<count).map { KeyedEvent(.sample($0), key: IdempotencyKey("key-\($0)")) }
    }
}

extension OutboxEntry {
    static func sample(_ event: TrackedEvent, kind: Kind = AnalyticsDestination.kind) throws -> OutboxEntry {
        OutboxEntry(
            id: ID(event.id), lane: "analytics", kind: kind, payload: try JSON.encode(event), targets: .all("sink"),
            enqueuedAt: event.time)
    }
}

extension Delivery.Verdict {
    var isRetry: Bool { if case .retry = self { true } else { false } }
    var isRejection: Bool { rejection != nil }
    var rejection: DeliveryFailure? { if case .rejected(let failure) = self { failure } else { nil } }
}
