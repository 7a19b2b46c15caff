import Testing
import WharfAnalyticsFakes
import WharfChecks
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

@testable import WharfAnalytics

struct FlushTests {
    private let clock = TestClock()
    private let store: MemoryWriteStore

    init() { store = MemoryWriteStore(uptime: clock.uptime) }

    private func analytics(_ sink: RecordingSink) -> (Analytics, OutboxEngine) {
        let outbox = OutboxEngine(
            store: store, configuration: .init(clock: clock.wall, uptime: clock.uptime, timer: clock))
        return (
            Analytics(
                outbox: outbox, sinks: [sink], identity: AnalyticsIdentity(),
                consent: ConsentState(Consent(.statistics)), configuration: .init(clock: clock.wall)), outbox
        )
    }

    @Test func flushSendsPostedEventsWithoutWaiting() async throws {
        let sink = RecordingSink(limits: BatchLimits(entries: 100, wait: .seconds(3_600)))
        let (analytics, outbox) = analytics(sink)
        for number in 0..<5 { analytics.post("Opened \(number)") }
        let report = try await analytics.flush()
        #expect(report.delivered == 5 && report.isComplete)
        #expect(sink.events.map(\.name) == (0..<5).map { "Opened \($0)" })
        await outbox.close()
    }

    @Test func flushWaitsForTheCommitBehindTheOneUnderWay() async throws {
        let stage = Stage()
        let (first, second) = (Gate(), Gate())
        stage.outbox.hold(at: first)
        let analytics = stage.analytics()
        analytics.post("First")
        await first.arrivals()
        analytics.post("Second")
        let flushing = Task { try await analytics.flush() }
        await letOthersRun()
        stage.outbox.hold(at: second)
        first.open()
        await second.arrivals()
        await letOthersRun()
        #expect(stage.outbox.drains == 0)
        second.open()
        _ = try await flushing.value
        #expect(stage.outbox.drains == 1)
        #expect(try stage.events().map(\.name) == ["First", "Second"])
    }

    @Test func batchIsSentAtItsByteLimit() async throws {
        let sink = RecordingSink(limits: BatchLimits(entries: 1_000, bytes: 1_000, wait: .seconds(3_600)))
        let (analytics, outbox) = analytics(sink)
        outbox.start()
        for number in 0..<10 { try await analytics.track("Opened \(number)") }
        try await until { !sink.events.isEmpty }
        await letOthersRun()
        let bytes = try sink.batches.map { try $0.reduce(0) { try $0 + $1.event.payload(within: .max).count } }
        #expect(bytes.allSatisfy { $0 <= 1_000 })
        #expect(sink.events.count < 10)
        try await analytics.flush()
        #expect(sink.events.count == 10)
        await outbox.close()
    }

    @Test func flushThrowsOnAStoreFailure() async throws {
        let (analytics, outbox) = analytics(RecordingSink())
        await outbox.close()
        let error = await #expect(throws: AnalyticsError.self) { try await analytics.flush() }
        #expect(error?.code == .storeFailed)
    }
}
