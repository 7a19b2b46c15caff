import CoreMetrics
import MetricsTestKit
import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfServer
import WharfStorage
import WharfStores

@Suite struct OutboxMetricsTests {
    private let factory = TestMetrics()
    private let failure = DeliveryFailure(.rejected, message: "no", status: 422)

    private func entry(_ id: String) -> OutboxEntry {
        OutboxEntry(
            id: .init(id), lane: id, kind: .init("note"), payload: [], targets: .all("api"),
            enqueuedAt: WallTime(secondsSince1970: 0))
    }

    private func total(_ name: String, _ dimensions: [(String, String)] = []) throws -> Int64 {
        try factory.expectCounter("wharf.outbox." + name, dimensions).totalValue
    }

    @Test func eachDeliveryIsCountedByItsOutcome() async throws {
        let metrics = OutboxMetrics(factory: factory)
        let api = RecordingDestination("api", kinds: ["note"]) { [failure] entry, _ in
            Delivery(entry.id.text == "bad" ? .rejected(failure) : .delivered)
        }
        let outbox = OutboxEngine(store: MemoryWriteStore(), destinations: [api])
        let events = outbox.events
        for id in ["a", "b", "bad"] { try await outbox.enqueue(entry(id)) }
        _ = try await outbox.drain()
        try await metrics.sample(outbox)
        await outbox.close()
        await metrics.count(events)
        let route = [("destination", "api"), ("kind", "note")]
        #expect(try total("enqueued", [("kind", "note")]) == 3)
        #expect(try total("attempts", route) == 3)
        #expect(try factory.expectTimer("wharf.outbox.duration", route).values.count == 3)
        #expect(try total("deliveries", route + [("outcome", "delivered")]) == 2)
        #expect(try total("deliveries", route + [("outcome", "dead")]) == 1)
        #expect(try factory.expectRecorder("wharf.outbox.dead", route).lastValue == 1)
    }

    @Test func everyEventIsCountedOnce() throws {
        let metrics = OutboxMetrics(label: "x", factory: factory)
        let subject = OutboxEvent.Subject(DeliveryID(.init("1"), to: "api"), kind: "note", lane: "l")
        let dropped = DroppedDelivery(subject.id, kind: "note", .bounded)
        let time = WallTime(secondsSince1970: 0)
        let events: [OutboxEvent] = [
            .enqueued(.init("1"), kind: "note", lane: "l"), .attempted(subject), .delivered(subject, attempts: 1),
            .answered(subject, after: .milliseconds(250)), .retrying(subject, at: time, failure),
            .parked(.init("api", kind: "note")),
            .held(destination: "api", failure),
            .credentialChanged, .paused(destination: "api"), .resumed(destination: "api"), .dead(subject, failure),
            .conflict(subject, failure), .dropped(dropped), .expired(dropped),
        ]
        for event in events { metrics.count(event) }
        metrics.count(.missed(7))
        // Each event has a time series of its own. An answer is recorded by a timer, and a missed
        // event by a counter.
        #expect(factory.counters.count == events.count)
        let values = factory.counters.map(\.totalValue).sorted()
        #expect(values == Array(repeating: 1, count: events.count - 1) + [7])
        let timer = try factory.expectTimer("x.duration", [("destination", "api"), ("kind", "note")])
        #expect(timer.values == [250_000_000])
        #expect(try factory.expectCounter("x.missed").totalValue == 7)
        metrics.count(.attempted(subject))
        #expect(try factory.expectCounter("x.attempts", [("destination", "api"), ("kind", "note")]).totalValue == 2)
    }

    @Test func gaugeOfAnEmptyRouteIsZero() throws {
        let metrics = OutboxMetrics(factory: factory)
        var counts = OutboxCounts()
        counts.pending = [.init("api", kind: "note"): 5]
        metrics.sample(counts)
        let gauge = try factory.expectRecorder(
            "wharf.outbox.waiting", [("destination", "api"), ("kind", "note")])
        #expect(gauge.lastValue == 5)
        metrics.sample(OutboxCounts())
        #expect(gauge.lastValue == 0)
    }

    @Test func theAgeOfTheOldestEntryIsInSeconds() async throws {
        let clock = TestClock()
        let metrics = OutboxMetrics(factory: factory, clock: clock.wall)
        let outbox = OutboxEngine(store: MemoryWriteStore(), destinations: [], configuration: .init(clock: clock.wall))
        var first = entry("a")
        first.enqueuedAt = clock.wall.now()
        try await outbox.enqueue(first)
        clock.advance(by: .seconds(90))
        try await metrics.sample(outbox)
        let gauge = try factory.expectRecorder("wharf.outbox.oldest", [("destination", "api")])
        #expect(gauge.lastValue == 90)
        try await outbox.store.removeAll(of: nil)
        try await metrics.sample(outbox)
        #expect(gauge.lastValue == 0)
        await outbox.close()
    }
}
