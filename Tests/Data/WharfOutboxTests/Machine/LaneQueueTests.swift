import Testing
import WharfCore
import WharfStorage

@testable import WharfOutbox

@Suite struct LaneQueueTests {
    private func ids(_ batch: [PendingDelivery]) -> [String] { batch.map(\.entry.id.text) }
    private func samples(_ ids: String...) -> [PendingDelivery] { ids.map { .sample($0) } }

    @Test func laneQueueReturnsEntriesOneByOne() {
        var queue = LaneQueue(samples("a", "b"))
        #expect(ids(queue.next(at: .start)) == ["a"])
        #expect(queue.settle([.delivered]) == false)
        #expect(ids(queue.next(at: .start)) == ["b"])
        #expect(queue.settle([.dead(.down)]) == true)
        #expect(ids(queue.next(at: .start)) == [])
    }

    @Test(arguments: [
        AttemptOutcome.retry(at: .start, .down), .held(.down), .abandoned(.down),
        .merged(Rewrite(.init("a"), payload: []), at: .start, .down),
        .filledIn(Rewrite(.init("a"), payload: [])),
    ])
    func waitingEntryHoldsThoseBehindIt(outcome: AttemptOutcome) {
        var queue = LaneQueue(samples("a", "b", "c"), limits: BatchLimits(entries: 2))
        #expect(ids(queue.next(at: .start)) == ["a", "b"])
        #expect(queue.settle([.delivered, outcome]) == true)
        #expect(ids(queue.next(at: .start)) == [])
    }

    @Test func batchIsBoundedByEntriesAndBytes() {
        let pending = [("a", 4), ("b", 4), ("c", 1), ("d", 9), ("e", 1)].map { PendingDelivery.sample($0, bytes: $1) }
        var queue = LaneQueue(pending, limits: BatchLimits(entries: 2, bytes: 8))
        #expect(ids(queue.next(at: .start)) == ["a", "b"])
        #expect(ids(queue.next(at: .start)) == ["c"])
        // A single entry may exceed the limit.
        #expect(ids(queue.next(at: .start)) == ["d"])
        #expect(ids(queue.next(at: .start)) == ["e"])
    }

    @Test func aBatchThatIsNotFullWaitsUnlessItIsTheFirst() {
        let limits = BatchLimits(entries: 2, wait: .seconds(5))
        var queue = LaneQueue(samples("a"), limits: limits)
        #expect(ids(queue.next(at: .start)) == ["a"])
        queue = LaneQueue(samples("a", "b", "c"), limits: limits)
        #expect(ids(queue.next(at: .start)) == ["a", "b"])
        #expect(ids(queue.next(at: .start + .seconds(4))) == [])
        queue = LaneQueue(samples("a", "b", "c"), limits: limits)
        #expect(ids(queue.next(at: .start)) == ["a", "b"])
        #expect(ids(queue.next(at: .start + .seconds(5))) == ["c"])
    }

    @Test func expiredEntryIsNotSent() {
        let short = PendingDelivery.sample("b", deliveryClass: .expiring(after: .seconds(5), latestWins: false))
        for limits in [BatchLimits(entries: 1), BatchLimits(entries: 3)] {
            var queue = LaneQueue([.sample("a"), short, .sample("c")], limits: limits)
            #expect(ids(queue.next(at: .start + .seconds(5))) == ["a"])
            #expect(ids(queue.next(at: .start + .seconds(5))) == [])
            // The first batch may have waited for its permit already.
            queue = LaneQueue([short], limits: limits)
            #expect(ids(queue.next(at: .start + .seconds(5))) == [])
            queue = LaneQueue([short], limits: limits)
            #expect(ids(queue.next(at: .start + .seconds(4))) == ["b"])
        }
    }
}
