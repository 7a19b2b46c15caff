import LiveTransport
import WharfAnalytics
import WharfCore
import WharfFakes
import WharfJSON
import WharfOutbox
import WharfRandom
import WharfStores
import WharfTestServer

/// An app with a test clock that sends to a vendor's service over real sockets.
struct VendorStage {
    let clock = TestClock()
    let outbox: OutboxEngine
    let store = MemoryKeyValueStore()
    let transport = liveTransport()

    init() {
        // A time that vendors accept.
        clock.advance(by: .seconds(1_000_000_000))
        outbox = OutboxEngine(
            store: MemoryWriteStore(uptime: clock.uptime),
            configuration: .init(
                clock: clock.wall, uptime: clock.uptime, timer: clock, random: SeededGenerator(seed: 1)))
    }

    func analytics(_ sink: any AnalyticsSink) async throws -> Analytics {
        Analytics(
            outbox: outbox, sinks: [sink], identity: try await AnalyticsIdentity(in: store),
            consent: ConsentState(Consent(.statistics)),
            configuration: .init(stages: [.context(["locale": "en-US"])], clock: clock.wall))
    }

    func segment(_ server: TestServer, isCompressed: Bool = false) -> HTTPCollector {
        .segment(
            writeKey: "write-key", transport: transport, host: server.authority, scheme: "http",
            integrations: ["All": true, "Mixpanel": false], isCompressed: isCompressed, clock: clock.wall)
    }

    func postHog(_ server: TestServer, isCompressed: Bool = true) -> HTTPCollector {
        .postHog(
            apiKey: "phc_key", transport: transport, host: server.authority, scheme: "http",
            isCompressed: isCompressed, clock: clock.wall)
    }

    /// Makes each call of an app from its first start to a sign-out, with pauses.
    func tour(_ analytics: Analytics) async throws {
        try await analytics.track("App Opened")
        clock.advance(by: .milliseconds(1_234))
        try await analytics.screen("Welcome", ["from": "icon"])
        try await analytics.identify("u-17", traits: ["plan": "pro"], once: ["first_plan": "free"])
        try await analytics.group("acme", type: "company", traits: ["seats": 5])
        try await analytics.register(["theme": "dark"])
        clock.advance(by: .seconds(86_400))
        try await analytics.track("Note Added", ["words": 12, "tags": ["a", "b"], "draft": nil])
        try await analytics.alias("u-0017")
        try await analytics.identify("u-0017", traits: ["plan": "team"])
        try await analytics.reset()
        try await analytics.track("App Opened")
    }
}
