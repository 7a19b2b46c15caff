import WharfAnalytics
import WharfAnalyticsFakes
import WharfAnalyticsLaws
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfJSON

/// An ``AnalyticsDestination`` over several sinks, as a destination of the outbox.
enum AnalyticsDestinationsUnderLaws {
    private typealias Parts = (destination: AnalyticsDestination, receiver: DestinationLaws.Receiver)

    static let all: [DestinationLaws.Subject] = [
        .init("AnalyticsDestination") { instance(recording()) },
        .init("AnalyticsDestination over HTTPCollector") { instance(collecting()) },
    ]

    static let batching: [BatchDestinationLaws.Subject] = [
        .init("AnalyticsDestination") { batches(recording()) },
        .init("AnalyticsDestination over HTTPCollector") { batches(collecting()) },
    ]

    private static func instance(_ parts: Parts) -> DestinationLaws.Instance {
        .init(parts.destination, at: parts.receiver)
    }

    private static func batches(_ parts: Parts) -> BatchDestinationLaws.Instance {
        .init(
            parts.destination, at: parts.receiver,
            large: { try payload(0, text: String(repeating: "a", count: $0)) })
    }

    private static func recording() -> Parts {
        let sink = RecordingSink()
        let gate = Gate()
        let receiver = receiver(
            arrivals: {
                sink.batches.joined().map { .init(key: $0.key.text, bytes: Array("\($0.event.json)".utf8)) }
            },
            set: { condition in
                sink.hold(at: condition == .silent ? gate : nil)
                switch condition {
                case .working: sink.answer(.delivered)
                case .busy, .silent: sink.answer(.retry(DeliveryFailure(.unavailable, message: "down")))
                case .refusing: sink.answer(.rejected(DeliveryFailure(.rejected, message: "never")))
                }
            })
        return (AnalyticsDestination(sink, consent: consent()), receiver)
    }

    private static func collecting() -> Parts {
        let collector = FakeCollector()
        let gate = Gate()
        let sink = HTTPCollector(endpoint: HTTPCollectorTests.endpoint, transport: collector.transport)
        let receiver = receiver(
            arrivals: { collector.arrivals.map { .init(key: $0.key, bytes: Array("\($0.content)".utf8)) } },
            set: { condition in
                collector.hold(at: condition == .silent ? gate : nil)
                switch condition {
                case .working, .silent: collector.set(.working)
                case .busy: collector.set(.busy)
                case .refusing: collector.set(.refusing(Set((0..<100).map { "event-\($0)" })))
                }
            })
        return (AnalyticsDestination(sink, consent: consent()), receiver)
    }

    /// A receiver whose secrets are those of the endpoint.
    private static func receiver(
        arrivals: @escaping @Sendable () async throws -> [DestinationLaws.Arrival],
        set: @escaping @Sendable (DestinationLaws.Condition) async -> Void
    ) -> DestinationLaws.Receiver {
        var receiver = DestinationLaws.Receiver(
            kind: AnalyticsDestination.kind, payload: { try payload($0) }, arrivals: arrivals, set: set)
        receiver.unreadable = [0x7B]
        receiver.secrets = ["key=secret", "Bearer t"]
        return receiver
    }

    private static func consent() -> ConsentState { ConsentState(Consent(.statistics)) }

    private static func payload(_ number: Int, text: String = "") throws -> [UInt8] {
        try JSON.encode(TrackedEvent.sample(number, properties: ["text": JSONValue(.string(text))]))
    }
}
