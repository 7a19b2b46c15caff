import Testing
import WharfAnalyticsFakes
import WharfCore
import WharfFakes
import WharfJSON
import WharfStores

@testable import WharfAnalytics

/// A sink with a limit of its own, whose format contains the name alone.
private struct ShortNames: AnalyticsSink {
    let name = "short"
    let limits = BatchLimits(entries: 10)
    func size(of event: TrackedEvent) -> EventSize? { EventSize(bytes: event.name.utf8.count, limit: 5) }
    func send(_ batch: [KeyedEvent]) async -> [Delivery.Verdict] { batch.map { _ in .delivered } }
}

struct EventSizeTests {
    let stage = Stage()

    private func analytics(_ limit: Int) -> Analytics {
        var configuration = Analytics.Configuration(clock: stage.clock.wall, onIncident: stage.incidents.handler)
        configuration.eventLimit = limit
        return Analytics(
            outbox: stage.outbox, sinks: [RecordingSink()], identity: AnalyticsIdentity(), consent: stage.consent,
            configuration: configuration)
    }

    @Test func anEventOfExactlyTheLimitIsKept() async throws {
        try await analytics(.max).track("Opened")
        let bytes = try #require(stage.outbox.entries.first).payload.count
        try await analytics(bytes).track("Opened")
        let error = await #expect(throws: AnalyticsError.self) { try await analytics(bytes - 1).track("Opened") }
        #expect(error?.code == .tooLarge)
        #expect(error?.size == EventSize(bytes: bytes, limit: bytes - 1))
        #expect(error?.message.contains("\(bytes) bytes") == true)
        #expect(stage.outbox.entries.count == 2)
    }

    @Test func anEventTooLargeForOneSinkIsRefusedAndTheNextKept() async throws {
        let analytics = stage.analytics([RecordingSink(), ShortNames()])
        let error = await #expect(throws: AnalyticsError.self) { try await analytics.track("Opened") }
        #expect(error?.size == EventSize(bytes: 6, limit: 5))
        #expect(error?.message.contains("short") == true)
        try await analytics.track("Shown")
        #expect(try stage.events().map(\.name) == ["Shown"])
        let counts = try await analytics.counts()
        #expect(counts.lost == [.tooLarge: 1] && counts.kept == 1)
    }

    @Test func aPostedEventThatIsTooLargeIsAnIncident() async throws {
        let analytics = stage.analytics([ShortNames()])
        analytics.post("Opened")
        #expect(stage.incidents.codes == [.eventLost])
        #expect(try await analytics.counts().lost == [.tooLarge: 1])
    }

    @Test func traitsThatAreTooLargeChangeNoIdentity() async throws {
        let analytics = analytics(500)
        let error = await #expect(throws: AnalyticsError.self) {
            try await analytics.identify("u-17", traits: ["note": .init(.string(String(repeating: "x", count: 500)))])
        }
        #expect(error?.code == .tooLarge)
        #expect(analytics.identity.user == nil)
        try await analytics.track("Opened")
        #expect(try stage.events().map(\.user) == [nil])
    }

    @Test func redactedPropertiesDoNotCountTowardsTheLimit() async throws {
        var configuration = Analytics.Configuration(stages: [.redacting("note")], clock: stage.clock.wall)
        configuration.eventLimit = 500
        let analytics = Analytics(
            outbox: stage.outbox, sinks: [RecordingSink()], identity: AnalyticsIdentity(), consent: stage.consent,
            configuration: configuration)
        try await analytics.track("Opened", ["note": .init(.string(String(repeating: "x", count: 500)))])
        #expect(stage.outbox.entries.count == 1)
    }
}
