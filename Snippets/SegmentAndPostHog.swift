// A replacement for the SDKs of Segment and PostHog: the same calls, over a durable outbox.

// snippet.hide
import WharfAnalytics
import WharfCore
import WharfFakes
import WharfJSON
import WharfOutbox
import WharfRandom
import WharfStores

let clock = TestClock()
let outbox = OutboxEngine(
    store: MemoryWriteStore(uptime: clock.uptime),
    configuration: .init(clock: clock.wall, uptime: clock.uptime, timer: clock, random: SeededGenerator(seed: 1)))
let store = MemoryKeyValueStore()
let transport = StubTransport { _ in .ok("") }

// snippet.show
// snippet.setup
let identity = try await AnalyticsIdentity(in: store)  // as the last process left it
let analytics = Analytics(
    outbox: outbox,
    sinks: [
        .segment(writeKey: "…", transport: transport),
        .postHog(apiKey: "phc_…", transport: transport, isCompressed: false),
    ], identity: identity, consent: ConsentState(Consent(.statistics)), configuration: .init(clock: clock.wall))
// snippet.end

// snippet.show
// snippet.calls
try await analytics.screen("Welcome")
try await analytics.identify("u-17", traits: ["plan": "pro"])
try await analytics.register(["theme": "dark"])  // added to each event from now on
try await analytics.track("Note Added", ["words": 12])  // in the outbox at return
analytics.post(screen: "Settings")  // for callers that can't wait
try await analytics.flush()
try await analytics.reset()  // the sign-out: erases the identity
// snippet.end

// snippet.hide
for request in transport.requests.sorted(by: { ($0.head.authority ?? "") < ($1.head.authority ?? "") }) {
    guard case .bytes(let body) = request.body,
        case .array(let events)? = try JSON.decode(JSONValue.self, from: body)["batch"]?.content
    else { continue }
    print(request.head.authority ?? "", request.head.path ?? "")
    for event in events {
        guard let name = event["event"] ?? event["name"] ?? event["type"] else { continue }
        let isKnown = (event["userId"] ?? event["distinct_id"]) == "u-17"
        print("  \(name) of \(isKnown ? "u-17" : "an anonymous user")")
    }
}
print("user:", analytics.identity.user ?? "none", "stored:", try await store.keys(withPrefix: "").count)
await outbox.close()

// Output:
// api.segment.io /v1/batch
//   "Welcome" of an anonymous user
//   "identify" of u-17
//   "Note Added" of u-17
//   "Settings" of u-17
// us.i.posthog.com /batch/
//   "$screen" of an anonymous user
//   "$identify" of u-17
//   "Note Added" of u-17
//   "$screen" of u-17
// user: none stored: 0
