import Testing
import WharfAnalyticsFakes
import WharfCore
import WharfFakes
import WharfJSON
import WharfStores

@testable import WharfAnalytics

struct IdentityConsentTests {
    let store = MemoryKeyValueStore()

    @Test func withoutConsentNoCallStoresAnything() async throws {
        let stage = Stage(.none)
        let analytics = try await stage.process(over: store)
        #expect(try await analytics.identify("u-17", traits: ["plan": "pro"]) == .withoutConsent)
        #expect(try await analytics.alias("u-18") == .withoutConsent)
        #expect(try await analytics.group("acme") == .withoutConsent)
        #expect(try await analytics.screen("Settings") == .withoutConsent)
        #expect(try await analytics.track("Opened") == .withoutConsent)
        #expect(try await analytics.register(["theme": "dark"]) == false)
        try await analytics.unregister("theme")
        analytics.post(screen: "Settings")
        #expect(stage.outbox.commits.isEmpty)
        #expect(try await store.keys(withPrefix: "") == [])
        #expect(analytics.identity.user == nil && analytics.identity.groups == [:])
        #expect(analytics.identity.anonymousID == nil && analytics.identity.superProperties == [:])
        #expect(try await analytics.counts().withoutConsent == 6)
    }

    @Test func consentIsCheckedByTheCategoryOfACall() async throws {
        let stage = Stage(Consent(.marketing))
        let analytics = try await stage.process(over: store)
        #expect(try await analytics.identify("u-17") == .withoutConsent)
        try await analytics.identify("u-18", category: .marketing)
        #expect(analytics.identity.user == "u-18")
        #expect(try stage.events().map(\.category) == [.marketing])
    }

    @Test func withdrawingEverythingErasesTheIdentity() async throws {
        let stage = Stage(Consent(.statistics, .marketing))
        let analytics = try await stage.process(over: store)
        try await analytics.identify("u-17")
        try await analytics.setConsent(Consent(.marketing))
        #expect(analytics.identity.user == "u-17")
        try await analytics.setConsent(.none)
        #expect(try await store.keys(withPrefix: "") == [])
        #expect(analytics.identity.user == nil && analytics.identity.anonymousID == nil)
        #expect(try await stage.pending() == [])
    }

    /// A process that was killed during a withdrawal may have left data.
    @Test func withdrawalAtStartErasesTheIdentityOfAKilledProcess() async throws {
        let stage = Stage()
        try await stage.process(over: store).identify("u-17")
        try await stage.process(over: store).setConsent(.none)
        #expect(try await store.keys(withPrefix: "") == [])
    }

    @Test func consentWithdrawnDuringIdentifyLeavesNoUser() async throws {
        let stage = Stage(Consent(.statistics, .marketing))
        let gate = Gate()
        stage.outbox.hold(at: gate)
        let analytics = try await stage.process(over: store)
        analytics.post("Opened", category: .marketing)
        await gate.arrivals()
        let identified = Task { try await analytics.identify("u-17") }
        try await until { analytics.identity.user != nil }
        let withdrawal = Task { try await analytics.setConsent(Consent(.marketing)) }
        #expect(try await identified.value == .withoutConsent)
        gate.open()
        try await withdrawal.value
        #expect(analytics.identity.user == nil)
        #expect(try await stage.process(over: store).identity.user == nil)
    }

    /// Otherwise events of other categories would carry the user meanwhile.
    @Test func anEventThatTheQueueRefusesChangesNoProfile() async throws {
        let analytics = try await Stage(.none).process(over: store)
        let item = TrackQueue.Item(id: "1", category: .statistics, entries: [])
        var wasAdded = false
        #expect(try await analytics.keep(item) { wasAdded = true } == .withoutConsent)
        #expect(!wasAdded)
    }

    @Test func withdrawalThrowsOnAStoreFailureAndCanBeRepeated() async throws {
        let stage = Stage()
        let store = ScriptedKeyValueStore()
        let analytics = try await stage.process(over: store)
        try await analytics.identify("u-17")
        store.fail(with: StoreError(.full, message: "no space"))
        let error = await #expect(throws: AnalyticsError.self) { try await analytics.setConsent(.none) }
        #expect(error?.code == .storeFailed)
        // The outbox was asked even so.
        #expect(try await stage.pending() == [])
        store.fail(with: nil)
        try await analytics.setConsent(.none)
        #expect(try await store.keys(withPrefix: "") == [])
    }
}
