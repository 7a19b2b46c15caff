// Article A, "Open/closed principle": events are values of any type, declared beside the code that
// tracks them. A new event, sink or stage is a new type and changes no existing file.

// snippet.hide
import WharfAnalytics
import WharfCore
import WharfFakes
import WharfJSON
import WharfStores

// snippet.show
// snippet.events
struct NewsListShown: AnalyticsEvent, Encodable {
    var name: String { "news.list" }
}

struct NewsDetailShown: AnalyticsEvent, Encodable {
    var name: String { "news.detail" }
    let id: Int
    let reader: String
}
// snippet.end

// snippet.hide
let clock = TestClock()
let outbox = RecordingOutbox(store: MemoryWriteStore(), clock: clock.wall)
let network = StubTransport([.respond(.contentTooLarge), .ok(""), .ok("")])
let endpoint = HTTPRequest(method: .post, scheme: "https", authority: "collect.example.com", path: "/v1/events")

// snippet.show
// snippet.sinks
let consent = ConsentState(Consent(.statistics))  // the user's stored choice

let collector = AnalyticsDestination(
    HTTPCollector(endpoint: endpoint, transport: network), consent: consent, stages: [.redacting("reader")])
let console = AnalyticsDestination(ConsoleSink(), consent: consent, stages: [.filtering { $0.name == "news.detail" }])

let analytics = Analytics(
    outbox: outbox, destinations: [collector, console], consent: consent,
    configuration: .init(stages: [.context(["app": "1.2"])], clock: clock.wall))
// snippet.end

// snippet.show
// snippet.track
try await analytics.track(NewsListShown())  // in the outbox
analytics.post(NewsDetailShown(id: 7, reader: "ada"))  // for callers that can't wait
// snippet.end

// snippet.hide
while outbox.entries.count < 3 { await Task.yield() }

/// Delivers the entries of a destination as an outbox does, but without waiting.
func deliver(_ destination: AnalyticsDestination) async {
    let entries = outbox.entries.filter { $0.targets.contains(.init(destination.name)) }
    let verdicts = await destination.deliver(entries).map(\.verdict)
    print("\(destination.name): \(verdicts.count { $0 == .delivered }) of \(entries.count) delivered")
}
await deliver(console)
await deliver(collector)
for request in network.requests {
    guard case .bytes(let body) = request.body else { continue }
    let sent = try JSON.decode(JSONValue.self, from: body)
    guard case .array(let events)? = sent["events"]?.content else { continue }
    print("sent:", events.map { "\($0["name"] ?? nil) \($0["properties"] ?? nil)" }.joined(separator: ", "))
}

// snippet.show
// snippet.consent
try await analytics.setConsent(.none)  // waiting events are discarded
print(try await analytics.track(NewsListShown()))
let counts = try await analytics.counts()
let waiting = counts.sinks["collector"]?.pending ?? 0
print("kept \(counts.kept), without consent \(counts.withoutConsent), waiting \(waiting)")
// snippet.end

// snippet.hide
// Output:
// {"id":"00e8d4a5-1000-7003-9c70-61a43b90b242","name":"news.detail","time":1000000000000,"category":"statistics","anonymous":"00e8d4a5-1000-7001-afba-e3685963bb19","session":"00e8d4a5-1000-7000-a442-8b7b22409730","properties":{"id":7,"reader":"ada"},"context":{"app":"1.2"}}
// console: 1 of 1 delivered
// collector: 2 of 2 delivered
// sent: "news.list" {}, "news.detail" {"id":7}
// sent: "news.list" {}
// sent: "news.detail" {"id":7}
// withoutConsent
// kept 2, without consent 1, waiting 0
