import Testing
import WharfAnalytics
import WharfAnalyticsFakes
import WharfChecks
import WharfCore
import WharfFakes
import WharfJSON
import WharfOutbox
import WharfRandom
import WharfStorage
import WharfStores

/// From an event to a receiver, through the outbox engine of apps.
struct EngineTests {
    private let clock = TestClock()
    private let store: MemoryWriteStore
    private let consent = ConsentState(Consent(.statistics))

    init() { store = MemoryWriteStore(uptime: clock.uptime) }

    private func analytics(_ sinks: any AnalyticsSink...) -> (Analytics, OutboxEngine) {
        let destinations = sinks.map { AnalyticsDestination($0, consent: consent) }
        let outbox = OutboxEngine(
            store: store, destinations: destinations,
            configuration: .init(
                clock: clock.wall, uptime: clock.uptime, timer: clock, random: SeededGenerator(seed: 1)))
        return (
            Analytics(
                outbox: outbox, destinations: destinations, consent: consent, configuration: .init(clock: clock.wall)),
            outbox
        )
    }

    private func collector(_ network: StubTransport, _ limits: BatchLimits) -> HTTPCollector {
        HTTPCollector(
            endpoint: HTTPRequest(method: .post, scheme: "https", authority: "example.com", path: "/"),
            transport: network, configuration: .init(limits: limits, clock: clock.wall))
    }

    private func films(_ events: [TrackedEvent]) -> [String] {
        events.compactMap { $0.properties["film"]?.description }
    }

    @Test func drainSendsPendingEventsInBatchesAndInOrder() async throws {
        let sink = RecordingSink(limits: BatchLimits(entries: 50, wait: .seconds(30)))
        let (analytics, outbox) = analytics(sink)
        for film in 0..<120 { try await analytics.track(FilmOpened(film: film)) }
        let report = try await outbox.drain()
        #expect(report.delivered == 120 && report.isComplete)
        #expect(films(sink.events) == (0..<120).map(String.init))
        #expect(sink.batches.allSatisfy { $0.count <= 50 } && sink.batches.count < 10)
        #expect(try await analytics.counts().sinks["recording"]?.pending == 0)
        await outbox.close()
    }

    @Test func aBatchThatIsNotFullWaits() async throws {
        let sink = RecordingSink(limits: BatchLimits(entries: 3, wait: .seconds(30)))
        let (analytics, outbox) = analytics(sink)
        outbox.start()
        for film in 0..<4 { try await analytics.track(FilmOpened(film: film)) }
        try await until { sink.events.count >= 3 }
        await letOthersRun()
        #expect(sink.batches.map(\.count) == [3])
        await clock.untilSleeping()
        clock.advance(by: .seconds(30))
        try await until { sink.events.count >= 4 }
        await outbox.close()
    }

    @Test func ofARefusedBatchOnlyTheNamedEventIsADeadLetter() async throws {
        let network = StubTransport([.respond(.badRequest, #"{"errors":[{"index":1}]}"#), .ok("")])
        let recording = RecordingSink()
        let (analytics, outbox) = analytics(collector(network, BatchLimits(entries: 10)), recording)
        for film in 0..<4 { try await analytics.track(FilmOpened(film: film)) }
        _ = try await outbox.drain()
        let counts = try await analytics.counts()
        #expect(counts.sinks["collector"]?.dead == 1)
        #expect(counts.sinks["collector"]?.pending == 0)
        let letters = try await outbox.deadLetters()
        #expect(try films(letters.map { try Stage.event($0.entry) }) == ["1"])
        // The other sink is not affected.
        #expect(recording.events.count == 4)
        await outbox.close()
    }

    @Test(arguments: [StubAnswer.respond(.unauthorized), .failure(.credentialUnavailable)])
    func unauthorizedAnswerDoesNotPauseTheCollector(answer: StubAnswer) async throws {
        let (analytics, outbox) = analytics(collector(StubTransport { _ in answer }, BatchLimits(entries: 10)))
        try await analytics.track(FilmOpened(film: 7))
        _ = try await outbox.drain()
        #expect(try await store.counts(of: nil).paused.isEmpty)
        #expect(try await analytics.counts().sinks["collector"]?.pending == 1)
        await outbox.close()
    }

    @Test func eventWithdrawnWhileOfflineIsNeverSent() async throws {
        let network = StubTransport { request in
            request.head.headerFields[.contentType] == nil ? .ok("") : .failure(.offline)
        }
        let recording = RecordingSink()
        recording.answer(.offline(DeliveryFailure(.offline, message: "gone")))
        let (analytics, outbox) = analytics(collector(network, BatchLimits(entries: 10)), recording)
        for film in 0..<4 { try await analytics.track(FilmOpened(film: film)) }
        _ = try await outbox.drain()
        #expect(try await analytics.counts().sinks["collector"]?.pending == 4)
        try await analytics.setConsent(.none)
        recording.answer(.delivered)
        let report = try await outbox.drain()
        #expect(report.delivered == 0)
        #expect(recording.events.isEmpty)
        #expect(try await store.records(of: nil, after: nil, limit: 10).isEmpty)
        await outbox.close()
    }

    @Test func withdrawalDuringASendLeavesNoEvent() async throws {
        let gate = Gate()
        let sink = RecordingSink(limits: BatchLimits(entries: 2))
        sink.hold(at: gate)
        sink.answer(.retry(DeliveryFailure(.unavailable, message: "later")))
        let (analytics, outbox) = analytics(sink)
        for film in 0..<5 { try await analytics.track(FilmOpened(film: film)) }
        outbox.start()
        await gate.arrivals()
        try await analytics.setConsent(.none)
        gate.open()
        await letOthersRun()
        await outbox.close()
        #expect(sink.events.isEmpty)
        #expect(try await store.records(of: nil, after: nil, limit: 10).isEmpty)
        #expect(try await outbox.store.deadLetters(of: nil, after: nil, limit: 10).isEmpty)
    }

    @Test func withdrawalBetweenTwoPartsLeavesTheSecondUnsent() async throws {
        let gate = Gate()
        let network = StubTransport([
            .respond(.contentTooLarge), StubAnswer(head: HTTPResponse(status: .ok), gate: gate), .ok(""),
        ])
        let (analytics, outbox) = analytics(collector(network, BatchLimits(entries: 4)))
        for film in 0..<4 { try await analytics.track(FilmOpened(film: film)) }
        outbox.start()
        await gate.arrivals()
        try await analytics.setConsent(.none)
        gate.open()
        await letOthersRun()
        await outbox.close()
        #expect(network.requests.count == 2)
        #expect(try await store.records(of: nil, after: nil, limit: 10).isEmpty)
    }

    @Test func deliveredCountFollowsFromTheOtherCounts() async throws {
        let sink = RecordingSink(limits: BatchLimits(entries: 10))
        let (analytics, outbox) = analytics(sink)
        for film in 0..<7 { try await analytics.track(FilmOpened(film: film)) }
        _ = try await outbox.drain()
        sink.answer(.rejected(DeliveryFailure(.rejected, message: "no")))
        for film in 7..<9 { try await analytics.track(FilmOpened(film: film)) }
        _ = try await outbox.drain()
        for film in 9..<14 { try await analytics.track(FilmOpened(film: film)) }
        try await analytics.setConsent(.none)
        let counts = try await analytics.counts()
        let share = try #require(counts.sinks["recording"])
        #expect(counts.kept == 14 && share.withdrawn == 7)
        #expect(counts.kept - share.pending - share.dead - share.dropped.values.reduce(0, +) - share.withdrawn == 7)
        await outbox.close()
    }
}
