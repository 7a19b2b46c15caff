import Synchronization
import Testing
import WharfAnalyticsFakes
import WharfChecks
import WharfCore
import WharfFakes
import WharfJSON
import WharfStorage
import WharfStores

@testable import WharfAnalytics

struct ConsentTests {
    @Test func withoutConsentNothingIsKept() async throws {
        let stage = Stage(.none)
        let analytics = stage.analytics()
        #expect(try await analytics.track(FilmOpened(film: 7)) == .withoutConsent)
        analytics.post(FilmOpened(film: 8))
        #expect(try await analytics.counts().withoutConsent == 2)
        #expect(stage.outbox.commits.isEmpty)
    }

    @Test func aConsentIsForItsCategoriesAlone() async throws {
        let stage = Stage(Consent(.marketing))
        let analytics = stage.analytics()
        try await analytics.track(FilmOpened(film: 7))
        try await analytics.track(OfferSeen())
        #expect(try await stage.pending() == ["offer.seen"])
        try await analytics.setConsent(Consent(.statistics, .marketing))
        #expect(analytics.consent == Consent(.marketing, .statistics))
        try await analytics.track(FilmOpened(film: 7))
        #expect(try await stage.pending() == ["offer.seen", "film.opened"])
    }

    @Test func withdrawnConsentDiscardsItsPendingEventsOnly() async throws {
        let stage = Stage(Consent(.statistics, .marketing))
        let analytics = stage.analytics([RecordingSink("a"), RecordingSink("b")])
        // More than one page of the store, for each category.
        for _ in 0..<300 { try await analytics.track(OfferSeen()) }
        for film in 0..<300 { try await analytics.track(FilmOpened(film: film)) }
        let other = OutboxEntry(
            id: stage.outbox.newID(), lane: "note", kind: .init("note"), payload: [], targets: .all("api"),
            enqueuedAt: stage.clock.wall.now())
        try await stage.outbox.enqueue(other)
        try await analytics.setConsent(Consent(.marketing))
        let left = try await stage.store.records(of: nil, after: nil, limit: 1_000).map(\.entry.kind.name)
        #expect(left == Array(repeating: AnalyticsDestination.kind.name, count: 300) + ["note"])
        for sink in ["a", "b"] {
            let share = try await analytics.counts().sinks[sink]
            #expect(share?.pending == 300)
            #expect(share?.withdrawn == 300)
        }
        try await analytics.setConsent(Consent(.marketing))
        #expect(try await analytics.counts().sinks["a"]?.withdrawn == 300)
    }

    @Test func withdrawnConsentDiscardsDeadLetters() async throws {
        let stage = Stage()
        let analytics = stage.analytics([RecordingSink("a")])
        try await analytics.track(FilmOpened(film: 7))
        let filter = LeaseRequest.DestinationFilter("a", kinds: [AnalyticsDestination.kind.name])
        let now = stage.clock.wall.now()
        let leased = try await stage.store.lease(
            LeaseRequest(destinations: [filter], now: now))
        let lane = try #require(leased.lanes.first)
        var commit = Commit()
        commit.settled = lane.deliveries.map {
            Settlement(
                $0.id, under: lane.lease, .dead(DeliveryFailure(.rejected, message: "no")), attempts: 1,
                attemptedAt: now)
        }
        commit.released = [lane.lease]
        try await stage.store.commit(commit)
        #expect(try await analytics.counts().sinks["a"]?.dead == 1)
        try await analytics.setConsent(.none)
        #expect(try await analytics.counts().sinks["a"]?.dead == 0)
        #expect(try await analytics.counts().sinks["a"]?.withdrawn == 1)
        #expect(try await stage.pending() == [])
    }

    @Test func eventBeingEnqueuedIsGoneWhenTheWithdrawalReturns() async throws {
        let stage = Stage()
        let gate = Gate()
        stage.outbox.hold(at: gate)
        let analytics = stage.analytics()
        let first = Task { try await analytics.track(FilmOpened(film: 1)) }
        await gate.arrivals()
        let second = Task { try await analytics.track(FilmOpened(film: 2)) }
        analytics.post(FilmOpened(film: 3))
        let withdrawal = Task { try await analytics.setConsent(.none) }
        try await until { analytics.consent == .none }
        // From the call on, even while the store is still working.
        #expect(try await analytics.track(FilmOpened(film: 4)) == .withoutConsent)
        gate.open()
        try await withdrawal.value
        guard case .kept = try await first.value else { return #expect(Bool(false)) }
        #expect(try await second.value == .withoutConsent)
        #expect(try await stage.pending() == [])
        #expect(try stage.events().compactMap { $0.properties["film"] } == [1])
    }

    @Test func withdrawalDuringStagesDropsTheEvent() async throws {
        let stage = Stage()
        let consent = stage.consent
        let analytics = stage.analytics(stages: [.enriching { _ in _ = consent.begin(.none) }])
        #expect(try await analytics.track(FilmOpened(film: 1)) == .withoutConsent)
        #expect(stage.outbox.commits.isEmpty)
    }

    @Test func renewedConsentRestoresNoWithdrawnEvent() async throws {
        let stage = Stage()
        let gate = Gate()
        stage.outbox.hold(at: gate)
        let analytics = stage.analytics()
        analytics.post(FilmOpened(film: 1))
        await gate.arrivals()
        let withdrawal = Task { try await analytics.setConsent(.none) }
        try await until { analytics.consent == .none }
        let given = Task { try await analytics.setConsent(Consent(.statistics)) }
        await letOthersRun()
        #expect(analytics.consent == .none)
        gate.open()
        try await withdrawal.value
        try await given.value
        #expect(try await stage.pending() == [])
        try await analytics.track(FilmOpened(film: 2))
        #expect(try await stage.pending() == ["film.opened"])
    }

    @Test func aStoreThatFailsLeavesTheConsentWithdrawn() async throws {
        let stage = Stage()
        let analytics = stage.analytics()
        try await analytics.track(FilmOpened(film: 1))
        stage.store.close()
        let error = await #expect(throws: AnalyticsError.self) { try await analytics.setConsent(.none) }
        #expect(error?.code == .storeFailed)
        #expect(analytics.consent == .none)
        #expect(analytics.count.withLock { $0.sinks.isEmpty })
    }

    @Test func concurrentConsentChangesEndWithTheLast() async throws {
        let stage = Stage()
        let analytics = stage.analytics()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await analytics.setConsent(number.isMultiple(of: 2) ? .none : Consent(.statistics))
                }
                group.addTask { analytics.post(FilmOpened(film: number)) }
            }
            try await group.waitForAll()
        }
        try await analytics.setConsent(.none)
        #expect(analytics.consent == .none)
        #expect(try await stage.pending() == [])
    }
}
