import InMemoryTracing
import Instrumentation
import ServiceContextModule
import Synchronization
import Testing
import Tracing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfServer
import WharfStorage
import WharfStores

@Suite struct TracedDestinationTests {
    private let tracer = InMemoryTracer()
    private static let failure = DeliveryFailure(.unavailable, message: "no", status: 503)

    private func entry(_ id: String, lane: String? = nil) -> OutboxEntry {
        OutboxEntry(
            id: .init(id), lane: lane ?? id, kind: .init("note"), payload: [], targets: .all("api"),
            enqueuedAt: WallTime(secondsSince1970: 0))
    }

    private func text(_ span: FinishedInMemorySpan, _ name: String) -> String? {
        if case .string(let value) = span.attributes.get(name)?.toSpanAttribute() { value } else { nil }
    }

    private static let verdicts: [(Delivery.Verdict, String)] = [
        (.delivered, "delivered"), (.retry(failure), "retry"), (.offline(failure), "offline"),
        (.needsAuthentication(failure), "needsAuthentication"), (.conflict(failure), "conflict"),
        (.rejected(failure), "rejected"),
    ]

    @Test(arguments: verdicts.indices)
    func eachAttemptHasASpanWithItsOutcome(index: Int) async throws {
        let (verdict, outcome) = Self.verdicts[index]
        let traced = RecordingDestination("api", kinds: ["note"]) { _, _ in Delivery(verdict) }.traced(by: tracer)
        #expect(traced.name == "api" && traced.kinds == ["note"])
        #expect(await traced.deliver(entry("a")).verdict == verdict)
        let span = try #require(tracer.finishedSpans.first)
        #expect(tracer.finishedSpans.count == 1 && tracer.activeSpans.isEmpty)
        #expect(span.operationName == "outbox.deliver" && span.kind == .client)
        #expect(text(span, "wharf.destination") == "api" && text(span, "wharf.kind") == "note")
        #expect(text(span, "wharf.entry") == "a" && text(span, "wharf.outcome") == outcome)
        #expect(text(span, "wharf.failure") == (verdict == .delivered ? nil : "unavailable"))
        #expect((span.status?.code == .error) == (verdict != .delivered))
    }

    @Test func deliveryRunsWithinItsSpan() async throws {
        let seen = Mutex<Bool>(false)
        let traced = RecordingDestination("api", kinds: ["note"]) { [tracer] _, _ in
            let isWithin = ServiceContext.current.map { tracer.activeSpan(identifiedBy: $0) != nil } ?? false
            seen.withLock { $0 = isWithin }
            return Delivery(.delivered)
        }.traced(by: tracer)
        _ = await traced.deliver(entry("a"))
        #expect(seen.withLock { $0 })
    }

    @Test func aBatchStaysOneAndEachEntryHasItsSpan() async throws {
        let base = RecordingBatchDestination("api", kinds: ["note"], limits: BatchLimits(entries: 3))
        let outbox = OutboxEngine(store: MemoryWriteStore(), destinations: [base.traced(by: tracer)])
        try await outbox.enqueue(entry("a", lane: "l"), entry("b", lane: "l"), entry("c", lane: "l"))
        _ = try await outbox.drain()
        await outbox.close()
        #expect(base.batches.map(\.count) == [3])
        #expect(tracer.finishedSpans.compactMap { text($0, "wharf.entry") } == ["a", "b", "c"])
        #expect(tracer.finishedSpans.allSatisfy { text($0, "wharf.outcome") == "delivered" })
        #expect(tracer.activeSpans.isEmpty)
    }
}
