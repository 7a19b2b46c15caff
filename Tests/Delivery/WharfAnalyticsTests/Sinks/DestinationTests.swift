import Testing
import WharfAnalytics
import WharfAnalyticsFakes
import WharfCore
import WharfFakes

private struct Terse: AnalyticsSink {
    let name = "terse"
    let limits = BatchLimits(entries: 10)
    var verdicts: [Delivery.Verdict] = []
    func send(_ batch: [KeyedEvent]) async -> [Delivery.Verdict] { verdicts }
}

@Suite struct DestinationTests {
    let consent = ConsentState(Consent(.statistics))

    @Test func destinationHasTheNameAndLimitsOfItsSink() {
        let limits = BatchLimits(entries: 7, bytes: 100, wait: .seconds(3))
        let destination = AnalyticsDestination(RecordingSink("mine", limits: limits), consent: consent)
        #expect(destination.name == "mine")
        #expect(destination.limits == limits)
        #expect(destination.kinds == [AnalyticsDestination.kind.name])
    }

    @Test func eventsComeWithTheirKeysInOrder() async throws {
        let sink = RecordingSink()
        let entries = try (1...3).map { try OutboxEntry.sample(.sample($0)) }
        let deliveries = await AnalyticsDestination(sink, consent: consent).deliver(entries)
        #expect(deliveries == entries.map { _ in Delivery(.delivered) })
        #expect(sink.batches == [(1...3).map { KeyedEvent(.sample($0), key: IdempotencyKey("event-\($0)")) }])
    }

    @Test func unreadableEventIsRejectedAndTheRestIsSent() async throws {
        var broken = try OutboxEntry.sample(.sample(2))
        broken.payload = [0x7B]
        let newer = try OutboxEntry.sample(.sample(3), kind: .init(AnalyticsDestination.kind.name, version: 2))
        let entries = [try OutboxEntry.sample(.sample(1)), broken, newer, try OutboxEntry.sample(.sample(4))]
        let sink = RecordingSink()
        let verdicts = await AnalyticsDestination(sink, consent: consent).deliver(entries).map(\.verdict)
        #expect(verdicts.map(\.rejection?.code) == [nil, .unreadable, .unreadable, nil])
        #expect(sink.events.map(\.id) == ["event-1", "event-4"])
    }

    @Test func eventWithoutConsentIsRejectedAndNotSent() async throws {
        let sink = RecordingSink()
        let entries = try [
            OutboxEntry.sample(.sample(1, category: .marketing)), OutboxEntry.sample(.sample(2)),
        ]
        let destination = AnalyticsDestination(sink, consent: consent)
        let verdicts = await destination.deliver(entries).map(\.verdict)
        #expect(verdicts.map(\.rejection?.code) == [.withoutConsent, nil])
        #expect(sink.events.map(\.id) == ["event-2"])
        _ = await destination.deliver([entries[0]])
        #expect(sink.batches.count == 1)
    }

    @Test func missingVerdictIsARetry() async throws {
        let entries = try (1...3).map { try OutboxEntry.sample(.sample($0)) }
        let sink = Terse(verdicts: [.delivered])
        let verdicts = await AnalyticsDestination(sink, consent: consent).deliver(entries).map(\.verdict)
        #expect(verdicts[0] == .delivered)
        #expect(verdicts[1].isRetry && verdicts[2].isRetry)
        let tooMany = Terse(verdicts: Array(repeating: .delivered, count: 9))
        #expect(await AnalyticsDestination(tooMany, consent: consent).deliver(entries).count == 3)
    }

    @Test func theConsolePrintsALineForEachEvent() async {
        let lines = Calls<String>()
        let verdicts = await ConsoleSink { lines.add($0) }.send(.samples(2))
        #expect(verdicts == [.delivered, .delivered])
        #expect(
            await lines.first()
                == #"{"id":"event-0","name":"film.opened","time":1000000000000,"category":"statistics","properties":{"film":7}}"#
        )
        #expect(await lines.countWhenQuiet() == 2)
    }
}
