import Testing
import WharfCore
import WharfFakes
import WharfPrimitives
import WharfRandom
import WharfStorage
import WharfStores

@testable import WharfOutbox

struct EventTests {
    let api = RecordingDestination("api", kinds: ["note"])

    @Test func eachReaderGetsAllEventsInOrderUntilTheEnd() async throws {
        api.answers { entry, attempt in
            entry.id.text == "b"
                ? .rejected : entry.id.text == "c" ? .conflict() : attempt == 1 ? .unavailable : .delivered
        }
        let stage = Stage(api)
        let (one, other) = (stage.outbox.events, stage.outbox.events)
        try await stage.run { stage in
            try await stage.outbox.enqueue(.sample("a"), .sample("b"), .sample("c"))
            try await stage.untilFailed("a", attempts: 1)
            await stage.wake(after: .seconds(4))
            _ = try await stage.untilDead("c")
        }
        var seen: [OutboxEvent] = []
        for await event in one { seen.append(event) }
        let down = DeliveryFailure(.unavailable, message: "scripted", status: 503)
        func subject(_ id: String) -> OutboxEvent.Subject {
            .init(DeliveryID(.init(id), to: "api"), kind: "note", lane: "lane")
        }
        let enqueued = ["a", "b", "c"].map { OutboxEvent.enqueued(.init($0), kind: "note", lane: "lane") }
        let rejected = DeliveryFailure(.rejected, message: "scripted", status: 422)
        let conflict = DeliveryFailure(.conflict, message: "scripted", status: 412)
        #expect(
            Array(seen.filter { if case .retrying = $0 { false } else { true } }.filter { !enqueued.contains($0) }) == [
                .attempted(subject("a")), .answered(subject("a"), after: .zero),
                .attempted(subject("a")), .answered(subject("a"), after: .zero),
                .delivered(subject("a"), attempts: 2),
                .attempted(subject("b")), .answered(subject("b"), after: .zero), .dead(subject("b"), rejected),
                .attempted(subject("c")), .answered(subject("c"), after: .zero), .conflict(subject("c"), conflict),
            ])
        #expect(enqueued.allSatisfy(seen.contains))
        #expect(seen.contains { if case .retrying(subject("a"), _, down) = $0 { true } else { false } })
        var again: [OutboxEvent] = []
        for await event in other { again.append(event) }
        #expect(again == seen)
    }

    @Test func droppedAndExpiredEntriesAreReported() async throws {
        let stage = Stage(api)
        let events = stage.outbox.events
        try await stage.outbox.enqueue(
            .sample("a", deliveryClass: .bounded(1)), .sample("b", deliveryClass: .bounded(1)),
            .sample("x", lane: "x", deliveryClass: .expiring(after: .seconds(5), latestWins: false)))
        stage.clock.advance(by: .seconds(5))
        try await stage.run { stage in
            try await stage.untilGone("x")
            try await stage.untilGone("b")
        }
        var seen: [OutboxEvent] = []
        for await event in events { seen.append(event) }
        #expect(seen.contains(.dropped(.init(DeliveryID(.init("a"), to: "api"), kind: "note", .bounded))))
        #expect(seen.contains(.expired(.init(DeliveryID(.init("x"), to: "api"), kind: "note", .expired))))
        #expect(api.received.map(\.id.text) == ["b"])
    }

    @Test func slowReaderLosesTheOldestAndGetsTheirCount() async {
        let buffer = EventBuffer(limit: 4)
        func event(_ number: Int) -> OutboxEvent { .enqueued(.init("\(number)"), kind: "note", lane: "lane") }
        for number in 0..<5 { buffer.add(event(number)) }
        #expect(await buffer.next() == .missed(3))
        #expect(await buffer.next() == event(3))
        buffer.add(event(5))
        #expect(await buffer.next() == event(4))
        #expect(await buffer.next() == event(5))
        buffer.end()
        #expect(await buffer.next() == nil)
    }

    @Test func aReaderThatIsCancelledEnds() async {
        let buffer = EventBuffer(limit: 4)
        let reader = Task { await buffer.next() }
        await Task.yield()
        reader.cancel()
        #expect(await reader.value == nil)
    }

    @Test func releasedReaderIsForgotten() async {
        let readers = EventReaders()
        weak var buffer: EventBuffer?
        do {
            let events = readers.subscribe()
            buffer = events.buffer
            #expect(buffer != nil)
        }
        #expect(buffer == nil)
        readers.end()
        #expect(await readers.subscribe().buffer.next() == nil)
    }

    @Test func idsSortInCreationOrderDespiteClockChanges() {
        let source = EntryIDs(SharedRandom(SeededGenerator(seed: 3)))
        var ids: [OutboxEntry.ID] = []
        for shift in [0, 0, 0, 5, -3_600, 0, 1] {
            for _ in 0..<50 { ids.append(source.next(at: .start + .seconds(shift))) }
        }
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
    }
}
