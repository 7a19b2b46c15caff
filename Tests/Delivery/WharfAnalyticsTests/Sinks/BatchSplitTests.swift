import Testing
import WharfChecks
import WharfCore

@testable import WharfAnalytics

/// A collector that limits the size of a batch and rejects bad events.
private struct Collector {
    var most: Int
    var bad: Set<Int>
    var names: Bool
    /// The number of requests after which it fails, or nil for no limit.
    var patience: Int?
    var taken: [Int] = []
    var requests = 0

    mutating func answer(_ part: [Int]) -> CollectorAnswer {
        requests += 1
        if let patience, requests > patience { return .failed(.retry(Self.failure)) }
        if part.count > most { return .tooLarge }
        let places = part.indices.filter { bad.contains(part[$0]) }
        if !places.isEmpty { return .refused(events: names ? Set(places) : []) }
        taken += part
        return .accepted
    }

    static let failure = DeliveryFailure(.rejected, message: "no")
}

@Suite struct BatchSplitTests {
    private static let cases = Generator { choices in
        let count = try choices.draw(.int(in: 0...40))
        let bad = try choices.draw(.array(of: .int(in: 0...40), count: 0...6))
        return (
            count,
            Collector(
                most: try choices.draw(.int(in: 0...45)), bad: Set(bad), names: try choices.draw(.bool),
                patience: try choices.draw(.bool) ? try choices.draw(.int(in: 0...20)) : nil)
        )
    }

    @Test func everyEventIsDeliveredOrNamedExactlyOnce() async throws {
        try await forAll(Self.cases, runs: 2_000) { count, collector in
            var collector = collector
            var split = BatchSplit(count)
            while let part = split.next() {
                try require(!part.isEmpty, "an empty request")
                split.take(collector.answer(part), Collector.failure, for: part)
            }
            let verdicts = split.result()
            try require(verdicts.count == count, "\(verdicts.count) verdicts")
            let delivered = verdicts.indices.filter { verdicts[$0] == .delivered }
            try require(collector.taken == delivered, "taken \(collector.taken), said to be \(delivered)")
            let rejected = verdicts.indices.filter { verdicts[$0].isRejection }
            let gaveUp = collector.patience.map { collector.requests > $0 } ?? false
            if !gaveUp {
                let expected = (0..<count).filter { collector.most == 0 || collector.bad.contains($0) }
                try require(rejected == expected, "rejected \(rejected) and not \(expected)")
                try require(verdicts.allSatisfy { !$0.isRetry }, "a retry without a reason")
            } else {
                try require(
                    rejected.allSatisfy { collector.most == 0 || collector.bad.contains($0) }, "rejected \(rejected)")
                // Nothing is sent after its failure. The unsent events follow in order.
                try require(collector.requests == collector.patience.map { $0 + 1 }, "\(collector.requests) requests")
            }
            try require(collector.requests <= max(1, 3 * count), "\(collector.requests) requests for \(count)")
        }
    }

    @Test func refusedIndicesOutsideTheRequestAreIgnored() {
        var split = BatchSplit(4)
        split.take(.tooLarge, Collector.failure, for: split.next() ?? [])
        let half = split.next() ?? []
        #expect(half == [0, 1])
        split.take(.refused(events: [3, 2, -1]), Collector.failure, for: half)
        // The batch is halved to find the refused event.
        #expect(split.next() == [0])
    }
}
