import Testing
import WharfAnalyticsFakes
import WharfCore
import WharfFakes

@testable import WharfAnalytics

struct SessionTests {
    @Test func aPauseLongerThanTheTimeoutBeginsASession() async throws {
        let stage = Stage()
        let analytics = Analytics(
            outbox: stage.outbox, sinks: [RecordingSink()], identity: AnalyticsIdentity(sessionTimeout: .seconds(60)),
            consent: stage.consent, configuration: .init(clock: stage.clock.wall))
        for pause in [0, 60, 60, 61, 0] {
            stage.clock.advance(by: .seconds(pause))
            try await analytics.track(FilmOpened(film: pause))
        }
        let events = try stage.events()
        #expect(events.map(\.session) == [0, 0, 0, 3, 3].map { events[$0].id })
    }

    @Test func aClockThatIsSetBackBeginsNoSession() {
        let identity = AnalyticsIdentity(sessionTimeout: .seconds(60))
        let sessions = [100, 10, 70, 131].map { time in
            identity.stamp("\(time)", at: WallTime(secondsSince1970: time)) { "anonymous" }.session
        }
        #expect(sessions == ["100", "100", "100", "131"])
    }

    /// PostHog's documentation limits a session id to 24 hours.
    @Test func aSessionEndsAfterADay() {
        let identity = AnalyticsIdentity()
        let day: Int64 = 86_400
        let times = Array(stride(from: 0, to: day, by: 1_800)) + [day - 1, day, day + 1]
        let sessions = times.map { identity.stamp("\($0)", at: WallTime(secondsSince1970: $0)) { "a" }.session }
        #expect(Set(sessions.dropLast(2)) == ["0"])
        #expect(sessions.suffix(2) == ["\(day)", "\(day)"])
    }

    @Test func aSessionThatCannotBeStoredCostsNoEvent() async throws {
        let stage = Stage()
        let store = ScriptedKeyValueStore()
        let analytics = try await stage.process(over: store)
        store.fail(with: StoreError(.full, message: "no space"))
        guard case .kept = try await analytics.track("Opened") else { return #expect(Bool(false)) }
        #expect(stage.incidents.codes == [.sessionNotStored])
        store.fail(with: nil)
        try await analytics.track("Opened")
        let next = try await stage.process(over: store)
        #expect(next.identity.anonymousID == analytics.identity.anonymousID)
    }
}
