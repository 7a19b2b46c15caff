import Synchronization
import Testing
import WharfAnalyticsFakes
import WharfCore
import WharfFakes
import WharfJSON
import WharfStorage
import WharfStores

@testable import WharfAnalytics

struct TrackingTests {
    let stage = Stage()

    @Test func anEventIsInTheOutboxWhenTrackReturns() async throws {
        let stage = Stage(account: Account("ada"))
        let analytics = stage.analytics()
        let tracked = try await analytics.track(FilmOpened(film: 7))
        let record = try #require(try await stage.store.records(of: Account("ada"), after: nil, limit: 2).first)
        let event = try Stage.event(record.entry)
        #expect(tracked == .kept(id: event.id))
        #expect(event.time == stage.clock.wall.now())
        #expect(record.entry.kind == AnalyticsDestination.kind)
        #expect(record.entry.deliveryClass == .bounded(10_000))
        #expect(try await stage.pending() == [])
    }

    @Test func trackWaitsForTheOutbox() async throws {
        let gate = Gate()
        stage.outbox.hold(at: gate)
        let analytics = stage.analytics()
        let calls = Calls<TrackingResult>()
        let task = Task { calls.add(try await analytics.track(FilmOpened(film: 7))) }
        await gate.arrivals()
        #expect(await calls.countWhenQuiet() == 0)
        gate.open()
        try await task.value
        #expect(stage.outbox.entries.count == 1)
    }

    @Test func sinksThatGetTheSameBytesShareAnEntry() async throws {
        try await stage.analytics([RecordingSink("a"), RecordingSink("b")]).track(FilmOpened(film: 7))
        #expect(stage.outbox.entries.map { $0.targets } == [.all("a", "b")])
    }

    @Test func trackedAndPostedEventsKeepTheirOrderAndShareCommits() async throws {
        let gate = Gate()
        stage.outbox.hold(at: gate)
        let analytics = stage.analytics()
        analytics.post(FilmOpened(film: 0))
        await gate.arrivals()
        for film in 1...5 { analytics.post(FilmOpened(film: film)) }
        gate.open()
        try await analytics.track(FilmOpened(film: 6))
        #expect(try stage.events().map { $0.properties["film"] } == (0...6).map { .init(.number(.init($0))) })
        // One commit for the first event and one for those that waited. The last may share the
        // second.
        #expect((2...3).contains(stage.outbox.commits.count))
    }

    @Test func filteredEventIsCountedAndNotKept() async throws {
        let analytics = stage.analytics(stages: [.filtering { $0.properties["film"] != 7 }])
        #expect(try await analytics.track(FilmOpened(film: 7)) == .leftOut)
        analytics.post(FilmOpened(film: 7))
        try await analytics.track(FilmOpened(film: 8))
        let counts = try await analytics.counts()
        #expect(counts.leftOut == 2)
        #expect(counts.kept == 1)
        #expect(stage.outbox.entries.count == 1)
    }

    @Test func fullDiskThrowsFromTrackAndReportsPostedEvents() async throws {
        let analytics = stage.analytics()
        stage.outbox.fail(with: StoreError(.full, message: "no space"))
        let error = await #expect(throws: AnalyticsError.self) { try await analytics.track(FilmOpened(film: 7)) }
        #expect(error?.code == .storeFailed)
        #expect((error?.cause as? StoreError)?.code == .full)
        #expect(stage.incidents.codes == [])
        analytics.post(FilmOpened(film: 8))
        try await until { !stage.incidents.codes.isEmpty }
        #expect(stage.incidents.codes == [.eventLost])
        stage.outbox.fail(with: nil)
        try await analytics.track(FilmOpened(film: 9))
        let counts = try await analytics.counts()
        #expect(counts.lost == [.storeFailed: 2])
        #expect(counts.kept == 1)
    }

    @Test func postQueueLimitDropsTheOldestEvents() async throws {
        let gate = Gate()
        stage.outbox.hold(at: gate)
        let analytics = stage.analytics(posted: 3)
        analytics.post(FilmOpened(film: 0))
        await gate.arrivals()
        for film in 1...5 { analytics.post(FilmOpened(film: film)) }
        #expect(stage.incidents.codes == [.eventLost, .eventLost])
        gate.open()
        try await analytics.track(FilmOpened(film: 6))
        #expect(try stage.events().map { $0.properties["film"] } == [0, 3, 4, 5, 6])
        #expect(try await analytics.counts().lost == [.crowdedOut: 2])
    }

    @Test func trackedEventIsNotCrowdedOut() async throws {
        let gate = Gate()
        stage.outbox.hold(at: gate)
        let analytics = stage.analytics(posted: 1)
        analytics.post(FilmOpened(film: 0))
        await gate.arrivals()
        let tracked = (1...4).map { film in Task { try await analytics.track(FilmOpened(film: film)) } }
        try await until { analytics.queue.withLock { $0.waiting.count } == 4 }
        for film in 5...7 { analytics.post(FilmOpened(film: film)) }
        gate.open()
        for task in tracked {
            let outcome = try await task.value
            guard case .kept = outcome else { return #expect(Bool(false), "\(outcome)") }
        }
        try await analytics.track(FilmOpened(film: 8))
        let films = try Set(stage.events().compactMap { $0.properties["film"]?.description })
        #expect(films == ["0", "1", "2", "3", "4", "7", "8"])
    }

    @Test func outboxLimitDropsAndCountsTheOldestEvents() async throws {
        let analytics = stage.analytics([RecordingSink("a"), RecordingSink("b")], limit: 3)
        for film in 0..<5 { try await analytics.track(FilmOpened(film: film)) }
        let counts = try await analytics.counts()
        #expect(counts.kept == 5)
        for sink in ["a", "b"] {
            #expect(counts.sinks[sink]?.pending == 3)
            #expect(counts.sinks[sink]?.dropped == [.bounded: 2])
        }
    }

    @Test func concurrentEventsAreEachKeptOnce() async throws {
        let analytics = stage.analytics()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for film in 0..<200 {
                group.addTask {
                    if film.isMultiple(of: 2) {
                        analytics.post(FilmOpened(film: film))
                    } else {
                        try await analytics.track(FilmOpened(film: film))
                    }
                }
            }
            try await group.waitForAll()
        }
        try await stage.enqueued(200)
        #expect(try Set(stage.events().map(\.id)).count == 200)
        #expect(stage.incidents.codes == [])
    }

    @Test func postedEventIsKeptAfterAnalyticsIsReleased() async throws {
        weak var gone: Analytics?
        do {
            let analytics = stage.analytics()
            gone = analytics
            analytics.post(FilmOpened(film: 7))
        }
        try await stage.enqueued(1)
        try await until { gone == nil }
    }
}
