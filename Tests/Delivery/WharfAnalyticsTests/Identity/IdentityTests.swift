import Synchronization
import Testing
import WharfAnalyticsFakes
import WharfCore
import WharfFakes
import WharfJSON
import WharfStores

@testable import WharfAnalytics

struct IdentityTests {
    let stage = Stage()
    let store = MemoryKeyValueStore()

    @Test func onlyTheFirstIdentifyLinksTheAnonymousID() async throws {
        let analytics = try await stage.process(over: store)
        try await analytics.identify("u-17", traits: ["plan": "pro"], once: ["first": 1])
        try await analytics.identify("u-18")
        let events = try stage.events()
        let anonymousID = try #require(analytics.identity.anonymousID)
        #expect(events.map(\.kind) == [.identify(linking: anonymousID), .identify(linking: nil)])
        #expect(events.map(\.user) == ["u-17", "u-18"])
        #expect(events[0].properties == ["plan": "pro"] && events[0].traitsOnce == ["first": 1])
    }

    /// The first event may be discarded, dropped or filtered after the user is stored.
    @Test func identifyingTheSameUserAgainLinksAgain() async throws {
        var analytics = try await stage.process(over: store)
        let users = ["u-17", "u-17", "u-18", "u-18", "u-17"]
        for user in users {
            try await analytics.identify(user)
            analytics = try await stage.process(over: store)
        }
        let anonymousID = try #require(analytics.identity.anonymousID)
        #expect(
            try stage.events().map(\.kind)
                == users.map { .identify(linking: $0 == "u-17" ? anonymousID : nil) })
    }

    @Test func theIDAfterAnAliasLinksTheAnonymousID() async throws {
        let analytics = try await stage.process(over: store)
        try await analytics.identify("ada@example.com")
        try await analytics.alias("u-17")
        try await analytics.identify("u-17")
        let anonymousID = try #require(analytics.identity.anonymousID)
        #expect(try stage.events().last?.kind == .identify(linking: anonymousID))
    }

    @Test func aliasNamesThePreviousID() async throws {
        let analytics = try await stage.process(over: store)
        try await analytics.alias("ada@example.com")
        let anonymousID = try #require(analytics.identity.anonymousID)
        try await analytics.alias("u-17")
        try await analytics.track("Opened")
        let events = try stage.events()
        #expect(
            events.map(\.kind)
                == [.alias(previous: anonymousID), .alias(previous: "ada@example.com"), .track])
        #expect(events.map(\.user) == ["ada@example.com", "u-17", "u-17"])
    }

    @Test func groupsStayWithLaterEvents() async throws {
        let analytics = try await stage.process(over: store)
        try await analytics.group("acme", type: "company", traits: ["seats": 5])
        try await analytics.group("wharf", type: "project")
        try await analytics.group("globex", type: "company")
        try await analytics.screen("Settings")
        let events = try stage.events()
        #expect(events[0].kind == .group(type: "company", id: "acme"))
        #expect(events[0].properties == ["seats": 5])
        #expect(events[3].kind == .screen && events[3].name == "Settings")
        #expect(events[3].groups == ["company": "globex", "project": "wharf"])
    }

    @Test func superPropertiesYieldToOwnPropertiesAndSkipTraits() async throws {
        let analytics = try await stage.process(over: store)
        try await analytics.register(["theme": "dark", "beta": true])
        try await analytics.track("Opened", ["theme": "light"])
        try await analytics.identify("u-17", traits: ["plan": "pro"])
        try await analytics.unregister("beta")
        try await analytics.screen("Settings")
        #expect(
            try stage.events().map(\.properties)
                == [["theme": "light", "beta": true], ["plan": "pro"], ["theme": "dark"]])
    }

    /// PostHog answers 200 to an event with an empty id, and drops it.
    @Test func anEmptyIDIsRefused() async throws {
        let analytics = try await stage.process(over: store)
        for call in [
            { try await analytics.identify("") }, { try await analytics.alias("") }, { try await analytics.group("") },
            { try await analytics.group("acme", type: "") },
        ] {
            let error = await #expect(throws: AnalyticsError.self) { _ = try await call() }
            #expect(error?.code == .emptyID)
        }
        #expect(stage.outbox.entries.isEmpty && analytics.identity.user == nil)
    }

    @Test func anEmptyIDOfAStageIsRefused() async throws {
        let analytics = try await stage.process(over: store, stages: [.user { "" }])
        let error = await #expect(throws: AnalyticsError.self) { try await analytics.track("Opened") }
        #expect(error?.code == .emptyID)
        #expect(stage.outbox.entries.isEmpty)
    }

    @Test func resetLeavesNothingInTheStore() async throws {
        let analytics = try await stage.process(over: store)
        try await analytics.identify("u-17")
        try await analytics.group("acme")
        try await analytics.register(["theme": "dark"])
        let before = analytics.identity.anonymousID
        try await analytics.reset()
        #expect(try await store.keys(withPrefix: "") == [])
        try await analytics.track("Opened")
        let event = try #require(try stage.events().last)
        #expect(event.user == nil && event.groups == [:] && event.properties == [:])
        let anonymousID = try #require(event.anonymousID)
        #expect(anonymousID != before)
        #expect(event.session == event.id)
        try await analytics.identify("u-18")
        #expect(try stage.events().last?.kind == .identify(linking: anonymousID))
    }

    @Test func filteredIdentifyStillSetsTheUser() async throws {
        let analytics = try await stage.process(over: store, stages: [.filtering { $0.kind == .track }])
        #expect(try await analytics.identify("u-17") == .leftOut)
        try await analytics.track("Opened")
        #expect(try stage.events().map(\.user) == ["u-17"])
        #expect(try await stage.process(over: store).identity.user == "u-17")
    }

    /// In the other order, a kill between the two would lose the link.
    @Test func theEventIsStoredBeforeTheProfile() async throws {
        let stage = stage
        let enqueued = Mutex<[Int]>([])
        let store = ScriptedKeyValueStore { key in
            guard key == StoredKey<IdentityProfile>.profile.name else { return }
            let count = stage.outbox.entries.count
            enqueued.withLock { $0.append(count) }
        }
        let analytics = try await stage.process(over: store)
        try await analytics.identify("u-17")
        #expect(enqueued.withLock { $0 } == [1])
    }

    @Test func anOutboxThatFailsLeavesTheIdentityAsItWas() async throws {
        let analytics = try await stage.process(over: store)
        stage.outbox.fail(with: StoreError(.full, message: "no space"))
        let error = await #expect(throws: AnalyticsError.self) { try await analytics.identify("u-17") }
        #expect(error?.code == .storeFailed)
        #expect(analytics.identity.user == nil)
        #expect(try await store.value(for: StoredKey<IdentityProfile>.profile.name) == nil)
    }

    @Test func identifyKeepsTheUserWhenTheStoreFails() async throws {
        let store = ScriptedKeyValueStore()
        let analytics = try await stage.process(over: store)
        store.fail(with: StoreError(.full, message: "no space"))
        for call in [{ try await analytics.identify("u-17") }, { try await analytics.alias("u-17") }] {
            let error = await #expect(throws: AnalyticsError.self) { _ = try await call() }
            #expect(error?.code == .storeFailed)
            #expect(analytics.identity.user == "u-17")
        }
        await #expect(throws: AnalyticsError.self) { try await analytics.reset() }
        #expect(analytics.identity.user == nil)
        store.fail(with: nil)
        try await analytics.reset()
        #expect(try await store.keys(withPrefix: "") == [])
    }

    /// If only the anonymous id stayed in the store, the next user would be linked to it.
    @Test func aResetThatIsCutShortLinksNoOtherUser() async throws {
        let store = ScriptedKeyValueStore()
        let analytics = try await stage.process(over: store)
        try await analytics.identify("u-17")
        store.fail(with: StoreError(.full, message: "no space"), after: 1)
        await #expect(throws: AnalyticsError.self) { try await analytics.reset() }
        store.fail(with: nil)
        let next = try await stage.process(over: store)
        try await next.identify("u-18")
        let events = try stage.events()
        #expect(events[1].kind == .identify(linking: nil))
        #expect(events[1].anonymousID != events[0].anonymousID)
    }

    @Test(arguments: [0, 1]) func theNextEventEndsAResetThatFailed(writes: Int) async throws {
        let store = ScriptedKeyValueStore()
        let analytics = try await stage.process(over: store)
        try await analytics.identify("u-17")
        store.fail(with: StoreError(.full, message: "no space"), after: writes)
        await #expect(throws: AnalyticsError.self) { try await analytics.reset() }
        store.fail(with: nil)
        try await analytics.track("Opened")
        let next = try await stage.process(over: store)
        #expect(next.identity.user == nil)
        #expect(next.identity.anonymousID == analytics.identity.anonymousID)
    }

    /// A visit that is written before the erasure belongs to the time before it.
    @Test func queuedErasureKeepsALaterID() async throws {
        let gate = Gate()
        let store = ScriptedKeyValueStore { key in
            if key == StoredKey<IdentityProfile>.profile.name { await gate.pass() }
        }
        let identity = try await AnalyticsIdentity(in: store)
        identity.profile.user = "u-17"
        _ = identity.stamp("1", at: WallTime(secondsSince1970: 1)) { "old" }
        async let profile: Void = identity.storeProfile()
        await gate.arrivals()
        async let visit = identity.storeVisit()
        await pause()
        async let erasure: Void = identity.erase()
        await pause()
        _ = identity.stamp("2", at: WallTime(secondsSince1970: 2)) { "new" }
        gate.open()
        _ = try await (profile, visit, erasure)
        #expect(try await AnalyticsIdentity(in: store).anonymousID == identity.anonymousID)
    }

    @Test func concurrentCallsLeaveStoreAndMemoryEqual() async throws {
        let analytics = try await stage.process(over: store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    switch number % 4 {
                    case 0: try await analytics.identify("u-\(number)")
                    case 1: try await analytics.register(["n": .init(integerLiteral: number)])
                    case 2: try await analytics.reset()
                    default: analytics.post("Opened")
                    }
                }
            }
            try await group.waitForAll()
        }
        try await analytics.track("Opened")
        let next = try await stage.process(over: store)
        #expect(next.identity.profile == analytics.identity.profile)
        #expect(next.identity.anonymousID == analytics.identity.anonymousID)
    }
}
