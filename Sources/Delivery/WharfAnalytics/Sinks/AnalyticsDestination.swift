public import WharfCore
internal import WharfJSON

/// A sink as a destination of the outbox, with stages of its own.
///
/// ```swift
/// let collector = AnalyticsDestination(
///     HTTPCollector(endpoint: endpoint, transport: transport), consent: consent, stages: [.redacting("email")])
/// ```
public struct AnalyticsDestination: BatchDestination {
    /// The kind of events' entries in the outbox.
    public static let kind = OutboxEntry.Kind("wharf.analytics.event")

    let sink: any AnalyticsSink
    let consent: ConsentState
    let stages: [any EventStage]

    /// Creates a destination.
    ///
    /// - Parameters:
    ///   - consent: the same state as that of ``Analytics``.
    ///   - stages: for this sink alone, after those for all.
    public init(_ sink: any AnalyticsSink, consent: ConsentState, stages: [any EventStage] = []) {
        self.sink = sink
        self.consent = consent
        self.stages = stages
    }

    public var name: String { sink.name }
    public var kinds: Set<String> { [Self.kind.name] }
    public var limits: BatchLimits { sink.limits }

    /// Sends a batch. Unreadable entries, and those without consent, are rejected.
    public func deliver(_ batch: [OutboxEntry]) async -> [Delivery] {
        // One look for the whole batch. The sink asks again before each request.
        let inForce = consent.consent
        let events = batch.map { entry in read(entry, inForce) }
        let readable = events.compactMap { result in
            if case .success(let event) = result { event } else { nil }
        }
        var verdicts: ArraySlice<Delivery.Verdict> = []
        if !readable.isEmpty {
            verdicts = await sink.send(readable) { [consent] in consent.consent.allows($0.category) }[...]
        }
        let answered = verdicts.count
        return events.map { result in
            switch result {
            case .failure(let failure): Delivery(.rejected(failure))
            // Verdicts are paired with the readable events by order. A sink that gives too few must
            // not settle the rest as delivered.
            case .success: Delivery(verdicts.popFirst() ?? missing(answered, of: readable.count))
            }
        }
    }

    private func read(_ entry: OutboxEntry, _ consent: Consent) -> Result<KeyedEvent, DeliveryFailure> {
        guard entry.kind == Self.kind else {
            return .failure(
                DeliveryFailure(
                    .unreadable,
                    message: "expected \(Self.kind) in \(entry.id), found \(entry.kind); discard the entry"))
        }
        do throws(JSONError) {
            let event = try TrackedEvent(entry)
            guard consent.allows(event.category) else { return .failure(.withoutConsent(event)) }
            return .success(KeyedEvent(event, key: entry.key))
        } catch {
            return .failure(
                DeliveryFailure(
                    .unreadable,
                    message: "\(entry.id) is not a readable event: \(error); edit or discard the entry"))
        }
    }

    private func missing(_ answered: Int, of count: Int) -> Delivery.Verdict {
        .retry(
            DeliveryFailure(
                .noAnswer,
                message: "the sink \(name) gave verdicts for \(answered) of \(count) events; it must give one for each")
        )
    }
}

extension TrackedEvent {
    /// Reads the event of an entry.
    init(_ entry: OutboxEntry) throws(JSONError) { self = try JSON.decode(TrackedEvent.self, from: entry.payload) }
}

extension DeliveryFailure.Code {
    /// Consent was withdrawn after the event was kept.
    public static let withoutConsent = Self("withoutConsent")
}

extension DeliveryFailure {
    fileprivate static func withoutConsent(_ event: TrackedEvent) -> Self {
        Self(
            .withoutConsent,
            message: "the consent to \(event.category) was withdrawn after \(event.name) was kept")
    }
}
