import Synchronization
import Testing
import WharfAnalyticsFakes
import WharfChecks
import WharfCore
import WharfFakes
import WharfJSON
import WharfStores

@testable import WharfAnalytics

/// A second process over the store of a killed one.
struct RestartTests {
    let stage = Stage()
    let store = MemoryKeyValueStore()

    @Test func theNextProcessHasTheIdentityOfAKilledOne() async throws {
        var analytics = try await stage.process(over: store)
        try await analytics.track("Opened")
        try await analytics.identify("u-17", traits: ["plan": "pro"])
        try await analytics.group("acme", type: "company")
        try await analytics.register(["theme": "dark"])
        analytics = try await stage.process(over: store)
        #expect(analytics.identity.user == "u-17")
        #expect(analytics.identity.groups == ["company": "acme"])
        #expect(analytics.identity.superProperties == ["theme": "dark"])
        try await analytics.track("Opened")
        let events = try stage.events()
        #expect(events.count == 4)
        #expect(Set(events.map(\.anonymousID)).count == 1)
        #expect(events.first?.anonymousID != nil && events.first?.user == nil)
        #expect(events.last?.user == "u-17")
        #expect(events.last?.groups == ["company": "acme"])
        #expect(events.last?.properties == ["theme": "dark"])
    }

    /// Otherwise, after a kill between the two, the next process would make another anonymous id.
    @Test func aNewAnonymousIDIsStoredBeforeItsEvent() async throws {
        let stage = stage
        let enqueued = Mutex<[Int]>([])
        let store = ScriptedKeyValueStore { _ in
            await pause()
            let count = stage.outbox.entries.count
            enqueued.withLock { $0.append(count) }
        }
        let analytics = try await stage.process(over: store)
        try await analytics.track("Opened")
        try await analytics.reset()
        enqueued.withLock { $0 = [] }
        try await analytics.track("Opened")
        #expect(enqueued.withLock { $0 } == [1])
    }

    @Test(arguments: [1_800_000: true, 1_800_001: false])
    func sessionContinuesWithinTheTimeout(milliseconds: Int64, isSame: Bool) async throws {
        try await stage.process(over: store).track("Opened")
        stage.clock.advance(by: .milliseconds(milliseconds))
        try await stage.process(over: store).track("Opened")
        let events = try stage.events()
        #expect(events[0].session == events[0].id)
        #expect(events[1].session == (isSame ? events[0].id : events[1].id))
    }

    @Test func eachStoredEventMakesTheSessionLonger() async throws {
        let analytics = try await stage.process(over: store)
        for _ in 0..<3 {
            try await analytics.track("Opened")
            stage.clock.advance(by: .seconds(20 * 60))
        }
        try await stage.process(over: store).track("Opened")
        #expect(try Set(stage.events().map(\.session)).count == 1)
    }

    @Test func fileStoreKeepsTheIdentityUntilReset() async throws {
        let folder = try TemporaryFolder()
        let first = try await stage.process(over: try await FileKeyValueStore.open(at: folder["identity"]))
        try await first.identify("u-17")
        let next = try await stage.process(over: try await FileKeyValueStore.open(at: folder["identity"]))
        #expect(next.identity.user == "u-17")
        #expect(next.identity.anonymousID == first.identity.anonymousID)
        try await next.reset()
        let last = try await FileKeyValueStore.open(at: folder["identity"])
        #expect(try await last.keys(withPrefix: "") == [])
    }

    @Test func identityCanBeErasedWithoutAnalytics() async throws {
        let analytics = try await stage.process(over: store)
        try await analytics.identify("u-17")
        try await AnalyticsIdentity.erase(in: store)
        #expect(try await store.keys(withPrefix: "") == [])
        let next = try await stage.process(over: store)
        #expect(next.identity.user == nil && next.identity.anonymousID == nil)
    }

    @Test func valuesOfALaterVersionAreRefusedUntilErased() async throws {
        let later = StoredKey(
            "wharf.analytics.profile",
            Codec<String>(schema: 2) {
                Array($0.utf8)
            } decode: { _, _ in
                ""
            })
        try await store.set("later", of: later)
        let error = await #expect(throws: StoreError.self) { try await AnalyticsIdentity(in: store) }
        #expect(error?.code == .undecodable)
        try await AnalyticsIdentity.erase(in: store)
        _ = try await AnalyticsIdentity(in: store)
    }
}
