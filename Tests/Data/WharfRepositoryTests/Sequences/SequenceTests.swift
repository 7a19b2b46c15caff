import Testing
import WharfChecks
import WharfCore

/// In every sequence of operations, a stored repository answers like the reference model.
struct SequenceTests {
    @Test(arguments: [nil, .seconds(30)] as [Duration?])
    func operationsAnswerLikeADictionaryModel(timeToLive: Duration?) async throws {
        try await forAll(.array(of: Operation.generator, count: 0...60), runs: 250) { operations in
            let difference = await SequenceStage.difference(operations, timeToLive: timeToLive)
            try require(difference == nil, difference ?? "")
        }
    }

    /// Sequences that failed once, in their shrunk form.
    private static let once: [[Operation]] = [
        // A value in memory hid a later commit of another writer.
        [
            .forbidStoring(true), .read(1, .standard), .anotherCommits(1, "c", age: 5, lifetime: 100),
            .read(1, .cacheFirst),
        ],
        // A fresh value in memory was requested again.
        [
            .forbidStoring(true), .readList(.firstTwo, .networkOnly), .anotherGarbles(1),
            .readList(.firstTwo, .standard),
        ],
        // An older row of the store was considered fresh.
        [
            .anotherCommits(1, "c", age: 0, lifetime: 100), .forbidStoring(true), .read(1, .networkOnly),
            .advance(seconds: 90), .read(1, .standard),
        ],
        // A row that another writer removed came back when the network failed.
        [
            .readList(.whole, .networkOnly), .fail(.unreachable), .anotherRemoves(1), .read(1, .cacheThenNetwork),
            .read(1, .cacheOnly),
        ],
        // A list did not regain a member that was in the store again.
        [
            .readList(.whole, .cacheFirst), .anotherRemoves(1), .readList(.whole, .standard),
            .read(1, .cacheThenNetwork), .readList(.whole, .cacheFirst),
        ],
        // Observers received an older row of the store in place of the value in memory.
        [
            .read(1, .standard), .forbidStoring(true), .publish(1, "d"), .read(1, .networkFirst), .watch(1),
            .invalidate(.id(1)), .read(1, .cacheOnly),
        ],
    ]

    @Test(arguments: once.indices, [nil, .seconds(30)] as [Duration?])
    func formerCounterexamplesMatchTheModel(index: Int, timeToLive: Duration?) async {
        #expect(await SequenceStage.difference(Self.once[index], timeToLive: timeToLive) == nil)
    }

    /// The test races with the repository's own read, so it runs many times.
    @Test func commitSeenByAReadIsReportedToObservers() async {
        for last in [Operation.anotherCommits(1, "b", age: 0, lifetime: nil), .anotherRemoves(1)] {
            let operations: [Operation] = [.anotherCommits(1, "a", age: 0, lifetime: 100), .watch(1), last]
            for _ in 0..<500 {
                let difference = await SequenceStage.difference(operations + [.read(1, .cacheOnly)], timeToLive: nil)
                guard difference == nil else {
                    Issue.record("\(last): \(difference ?? "")")
                    break
                }
            }
        }
    }

    @Test func modelRemovedByOtherWriterStaysRemovedForObserver() async {
        let operations: [Operation] = [
            .read(1, .standard), .watch(1), .fail(.unreachable), .anotherRemoves(1), .read(1, .networkFirst),
        ]
        for _ in 0..<500 {
            guard let difference = await SequenceStage.difference(operations, timeToLive: nil) else { continue }
            Issue.record("\(difference)")
            break
        }
    }
}
