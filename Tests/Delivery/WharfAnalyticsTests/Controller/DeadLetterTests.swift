import Testing
import WharfAnalytics
import WharfAnalyticsFakes
import WharfCore
import WharfFakes
import WharfJSON
import WharfOutbox
import WharfStorage
import WharfStores

/// Events that sinks refuse are kept up to a number.
struct DeadLetterTests {
    private let clock = TestClock()
    private let store: MemoryWriteStore
    private let consent = ConsentState(Consent(.statistics))
    private let incidents = IncidentLog()

    init() { store = MemoryWriteStore(uptime: clock.uptime) }

    /// A process over the store, with its delivering engine.
    private func analytics(
        _ sinks: [RecordingSink], over outbox: (any Outbox)? = nil, deadLetters: Int? = nil
    ) -> (Analytics, OutboxEngine) {
        let destinations = sinks.map { AnalyticsDestination($0, consent: consent) }
        let engine = OutboxEngine(
            store: store, destinations: destinations,
            configuration: .init(clock: clock.wall, uptime: clock.uptime, timer: clock))
        let outbox = outbox ?? engine
        var configuration = Analytics.Configuration(clock: clock.wall)
        if let deadLetters {
            configuration.deadLetterLimit = deadLetters
            configuration.onIncident = incidents.handler
        }
        let analytics = Analytics(
            outbox: outbox, destinations: destinations, consent: consent, configuration: configuration)
        return (analytics, engine)
    }

    private func refusing(_ name: String = "recording") -> RecordingSink {
        let sink = RecordingSink(name)
        sink.answer(.rejected(DeliveryFailure(.rejected, message: "no")))
        return sink
    }

    /// Tracks one more event, which starts the cleanup, and waits until it is written.
    private func trackOneMore(_ analytics: Analytics) async throws {
        try await analytics.track(FilmOpened(film: 99))
        try await analytics.setConsent(analytics.consent)
    }

    private func films(_ sink: String = "recording") async throws -> [String] {
        try await store.deadLetters(of: nil, after: nil, limit: 2_000)
            .filter { $0.destination == sink && $0.entry.kind == AnalyticsDestination.kind }
            .map { try Stage.event($0.entry).properties["film"]?.description ?? "" }
    }

    @Test(arguments: [0, 1, 3, 5, 6, .max]) func oldestDeadLettersBeyondTheLimitAreDroppedAndCounted(
        limit: Int
    ) async throws {
        let (analytics, outbox) = analytics([refusing()], deadLetters: limit)
        for film in 0..<5 { try await analytics.track(FilmOpened(film: film)) }
        _ = try await outbox.drain()
        try await trackOneMore(analytics)
        #expect(try await films() == (0..<5).map(String.init).suffix(limit))
        let share = try #require(try await analytics.counts().sinks["recording"])
        #expect(share.dead == min(limit, 5) && share.deadDropped == max(0, 5 - limit) && share.pending == 1)
        #expect(incidents.codes == [])
        await outbox.close()
    }

    /// Reading all dead letters for each event would cost too much.
    @Test(arguments: [34: 0, 35: 3]) func excessDeadLettersAreDroppedTogether(refused: Int, discarded: Int) async throws
    {
        let (analytics, outbox) = analytics([refusing()], deadLetters: 32)
        for film in 0..<refused { try await analytics.track(FilmOpened(film: film)) }
        _ = try await outbox.drain()
        try await trackOneMore(analytics)
        #expect(try await analytics.counts().sinks["recording"]?.deadDropped == discarded)
        #expect(try await films().count == refused - discarded)
        await outbox.close()
    }

    @Test func defaultLimitKeepsAThousandDeadLetters() async throws {
        let (analytics, outbox) = analytics([refusing()])
        // The excess is more than one page.
        for film in 0..<1_300 { try await analytics.track(FilmOpened(film: film)) }
        _ = try await outbox.drain()
        try await trackOneMore(analytics)
        #expect(try await films().count == 1_000)
        #expect(try await analytics.counts().sinks["recording"]?.deadDropped == 300)
        await outbox.close()
    }

    @Test func limitAppliesToDeadLettersOfEarlierProcesses() async throws {
        var (analytics, outbox) = analytics([refusing()], deadLetters: 4)
        for film in 0..<6 { try await analytics.track(FilmOpened(film: film)) }
        _ = try await outbox.drain()
        try await trackOneMore(analytics)
        await outbox.close()
        (analytics, outbox) = self.analytics([refusing()], deadLetters: 1)
        #expect(try await analytics.counts().sinks["recording"]?.deadDropped == 2)
        try await trackOneMore(analytics)
        #expect(try await films() == ["5"])
        #expect(try await analytics.counts().sinks["recording"]?.deadDropped == 5)
        await outbox.close()
    }

    @Test func limitIsPerSinkAndSparesOtherKinds() async throws {
        let note = OutboxEntry.Kind("note")
        let api = RecordingDestination("a", kinds: [note.name]) { _, _ in
            Delivery(.rejected(DeliveryFailure(.rejected, message: "no")))
        }
        for number in 0..<40 {
            // The destination has a sink's name, and the entry is older than all events.
            let id = OutboxEntry.ID("00000000-0000-7000-8000-0000000000\(10 + number)")
            try await store.commit(
                Commit(enqueued: [
                    OutboxEntry(
                        id: id, lane: "note", kind: note, payload: [], targets: .all("a"), enqueuedAt: clock.wall.now())
                ]))
        }
        let notes = OutboxEngine(
            store: store, destinations: [api],
            configuration: .init(clock: clock.wall, uptime: clock.uptime, timer: clock))
        _ = try await notes.drain()
        await notes.close()
        let kind = OutboxCounts.Route("a", kind: note.name)
        #expect(try await store.counts(of: nil).dead[kind] == 40)
        let (a, b) = (refusing("a"), RecordingSink("b"))
        let (analytics, outbox) = analytics([a, b], deadLetters: 2)
        for film in 0..<3 { try await analytics.track(FilmOpened(film: film)) }
        _ = try await outbox.drain()
        b.answer(.rejected(DeliveryFailure(.rejected, message: "no")))
        for film in 3..<6 { try await analytics.track(FilmOpened(film: film)) }
        _ = try await outbox.drain()
        try await trackOneMore(analytics)
        #expect(try await films("a") == ["4", "5"])
        #expect(try await films("b") == ["4", "5"])
        let sinks = try await analytics.counts().sinks
        #expect(sinks["a"]?.deadDropped == 4 && sinks["b"]?.deadDropped == 1)
        #expect(try await store.counts(of: nil).dead[kind] == 40)
        await outbox.close()
    }

    @Test func countsAccountForEveryEvent() async throws {
        let sink = RecordingSink(limits: BatchLimits(entries: 10))
        let (analytics, outbox) = analytics([sink], deadLetters: 2)
        for film in 0..<7 { try await analytics.track(FilmOpened(film: film)) }
        _ = try await outbox.drain()
        sink.answer(.rejected(DeliveryFailure(.rejected, message: "no")))
        for film in 7..<12 { try await analytics.track(FilmOpened(film: film)) }
        _ = try await outbox.drain()
        try await trackOneMore(analytics)
        try await analytics.setConsent(.none)
        let counts = try await analytics.counts()
        let share = try #require(counts.sinks["recording"])
        #expect(share.deadDropped == 3 && share.withdrawn == 3)
        #expect(counts.kept - share.pending - share.dead - share.withdrawn - share.deadDropped == 7)
        await outbox.close()
    }

    @Test func failedDropIsReportedAndTheEventIsKept() async throws {
        let incidents = incidents
        let (analytics, engine) = analytics([refusing()], over: ClosingOutbox(store: store), deadLetters: 1)
        let tracked = try await analytics.track(FilmOpened(film: 1))
        guard case .kept = tracked else { return #expect(Bool(false), "\(tracked)") }
        try await until { !incidents.codes.isEmpty }
        #expect(incidents.codes == [.deadLettersNotDiscarded])
        await engine.close()
    }
}

/// An outbox whose store fails after the first commit.
private struct ClosingOutbox: Outbox {
    let store: any WriteStore
    let account: Account? = nil

    init(store: MemoryWriteStore) { self.store = store }

    func newID() -> OutboxEntry.ID { OutboxEntry.ID("00000000-0000-7000-8000-000000000000") }

    @discardableResult
    func enqueue(_ entries: [OutboxEntry], changing entities: [EntityChange]) async throws(StoreError) -> CommitResult {
        let committed = try await store.commit(Commit(entities: entities, enqueued: entries))
        (store as? MemoryWriteStore)?.close()
        return committed
    }

    func outcome(of entry: OutboxEntry.ID) async throws(StoreError) -> [String: OutboxRecord.State]? { nil }

    func register(_ destination: any Destination) {}

    func drain(within limit: Duration?) async throws(StoreError) -> DrainReport { DrainReport() }
}
