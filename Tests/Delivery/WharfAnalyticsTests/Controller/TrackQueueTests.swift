import Testing
import WharfCore

@testable import WharfAnalytics

@Suite struct TrackQueueTests {
    private func item(_ id: String, _ category: Consent.Category = .statistics) -> TrackQueue.Item {
        TrackQueue.Item(id: id, category: category, entries: [])
    }

    @Test func oneWriterStartsAndTakesWaitingEventsTogether() {
        var queue = TrackQueue(limit: 10)
        #expect(queue.add(item("a")).begins)
        #expect(!queue.add(item("b")).begins)
        #expect(queue.next().items.map(\.id) == ["a", "b"])
        // Added while the batch is being written.
        #expect(!queue.add(item("c")).begins)
        #expect(queue.next().items.map(\.id) == ["c"])
        #expect(queue.next().items.isEmpty)
        #expect(queue.add(item("d")).begins)
    }

    @Test func withdrawnEventFreesItsRoom() {
        var queue = TrackQueue(limit: 2)
        _ = queue.add(item("a"))
        _ = queue.add(item("b", .marketing))
        #expect(queue.withdraw(Consent(.statistics)).map(\.id) == ["b"])
        #expect(queue.add(item("c")).crowdedOut == nil)
        #expect(queue.add(item("d")).crowdedOut?.id == "a")
        #expect(queue.next().items.map(\.id) == ["c", "d"])
    }

    @Test func limitCountsWaitingEventsOnly() {
        var queue = TrackQueue(limit: 1)
        _ = queue.add(item("a"))
        _ = queue.next()
        #expect(queue.add(item("b")).crowdedOut == nil)
        #expect(queue.add(item("c")).crowdedOut?.id == "b")
    }
}
