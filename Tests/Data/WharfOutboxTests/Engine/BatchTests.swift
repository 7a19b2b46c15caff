import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage

struct BatchTests {
    private func sink(_ limits: BatchLimits) -> RecordingBatchDestination {
        RecordingBatchDestination("api", kinds: ["note"], limits: limits)
    }

    private func ids(_ sink: RecordingBatchDestination) -> [[String]] { sink.batches.map { $0.map(\.id.text) } }

    @Test func fullBatchesGoAtOnceAndTheRestAfterItsWait() async throws {
        let sink = sink(BatchLimits(entries: 2, wait: .seconds(30)))
        try await Stage(sink).run { stage in
            try await stage.outbox.enqueue(.sample("a"), .sample("b"), .sample("c"), .sample("d"), .sample("e"))
            try await stage.untilGone("d")
            // The batch's alarm must be set first. Otherwise `wake` would find the alarm of the
            // leases, which is due after 20 s.
            await stage.untilIdle()
            #expect(ids(sink) == [["a", "b"], ["c", "d"]])
            await stage.wake(after: .seconds(30))
            try await stage.untilGone("e")
        }
    }

    @Test func bytesBoundABatch() async throws {
        let sink = sink(BatchLimits(entries: 10, bytes: 5))
        let stage = Stage(sink)
        try await stage.outbox.enqueue(
            .sample("a", payload: "xxx"), .sample("b", payload: "xxx"), .sample("c", payload: "xx"))
        try await stage.run { stage in
            try await stage.untilGone("c")
            #expect(ids(sink) == [["a"], ["b", "c"]])
        }
    }

    @Test func batchEntriesSettleSeparatelyAndARetryHoldsTheLane() async throws {
        let sink = sink(BatchLimits(entries: 3))
        sink.answers { $0.map { $0.id.text == "a" ? .delivered : $0.id.text == "b" ? .unavailable : .rejected } }
        let stage = Stage(sink)
        try await stage.outbox.enqueue(.sample("a"), .sample("b"), .sample("c"), .sample("d"))
        try await stage.run { stage in
            #expect(try await stage.untilDead("c")?.code == .rejected)
            try await stage.untilFailed("b", attempts: 1)
            #expect(try await stage.state(of: "a") == nil)
            #expect(ids(sink) == [["a", "b", "c"]])
            sink.answers { $0.map { _ in .delivered } }
            await stage.wake(after: .seconds(4))
            try await stage.untilGone("d")
            #expect(ids(sink).last == ["b", "d"])
        }
    }

    @Test func networkLossInMidBatchCountsNoAttempt() async throws {
        let sink = sink(BatchLimits(entries: 2))
        sink.answers { _ in [.delivered, .offline] }
        let stage = Stage(sink)
        try await stage.outbox.enqueue(.sample("a"), .sample("b"))
        try await stage.run { stage in
            try await stage.untilGone("a")
            try await stage.untilFailed("b", attempts: 0)
        }
    }

    @Test func missingAnswerFailsItsEntry() async throws {
        let sink = sink(BatchLimits(entries: 3))
        sink.answers { _ in [.delivered] }
        let stage = Stage(sink)
        try await stage.outbox.enqueue(.sample("a"), .sample("b"))
        try await stage.run { stage in
            try await stage.untilGone("a")
            guard case .pending(1, _, let failure?) = try await stage.state(of: "b") else {
                Issue.record("it did not fail")
                return
            }
            #expect(failure.code == .noAnswer)
            #expect(failure.message == "api returned results for 1 of 2 entries; it must return one for each")
        }
    }
}
