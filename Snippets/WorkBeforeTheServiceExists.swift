// snippet.show
// snippet.boundary
import Wharf
// Article "Work before the service exists": a screen that is built on an example, shown in every
// state, and later adapted to the service.
// snippet.hide
import WharfFakes
import WharfJSONFakes
import WharfRecording

/// The app's model, in the form that the app needs.
struct Recommendation: Identifiable, Equatable, Decodable, Sendable {
    let id: Int
    let title: String
    let reason: String
}

/// The screen depends on a repository, and on no service.
func screen(_ recommendations: any ReadableRepository<Recommendation>, now: WallTime) async -> String {
    let snapshot = await recommendations.listSnapshot(EntityQuery().limit(3))
    let titles = (snapshot.value ?? []).map { "\($0.id) \($0.title), \($0.reason)" }
    let age = snapshot.kept.map { "\($0.age(at: now).components.seconds / 60) min old" } ?? "nothing to show"
    return (titles + [snapshot.error.map { "\(age): \($0.code)" } ?? age]).joined(separator: "\n")
}
// snippet.end

// snippet.hide
let clock = TestClock()
// snippet.show
// snippet.example
// The service does not exist yet. One example of its answer takes its place.
let examples = try RemoteSource<Recommendation>.example(
    #"{"id": 1, "title": "Heat", "reason": "because you watched Ronin"}"#, clock: clock.wall)
let recommendations = Repository(source: examples, configuration: .init(clock: clock.wall))

print(await screen(recommendations, now: clock.wall.now()))
print(try await recommendations.get(id: 42).title)
// snippet.end

// snippet.wrong
// If an example does not match the payload, the error has the place.
do {
    _ = try RemoteSource<Recommendation>.example("{\n  \"id\": 1,\n  \"title\": [\"Heat\"]\n}")
} catch {
    print(error.message)
}
// snippet.end

// snippet.states
// Each state of the screen, for a preview or a test.
let scripted = ScriptedRepository<Recommendation>(clock: clock.wall)
let offline = ReadFailure(.offline, message: "scripted")
let heat = Recommendation(id: 1, title: "Heat", reason: "popular")
scripted.show(heat)
scripted.showList(
    Snapshot(kept: .init(value: [heat], source: .store, asOf: clock.wall.now() - .seconds(3_600)), error: offline))
print(await screen(scripted, now: clock.wall.now()))

scripted.showList(Snapshot(kept: nil, error: offline))
print(await screen(scripted, now: clock.wall.now()))
// snippet.end

// snippet.service
// The service is there. Its payload differs, and the adapter is one mapping.
struct SuggestionPayload: Decodable, Sendable {
    struct Because: Decodable, Sendable { let watched: String }

    let id: Int
    let name: String
    let because: Because
}

// The expected requests are declared, so they can be tested before the service answers.
let network = StubTransport(expecting: [
    .get(
        "https://api.example.com/suggestions", query: ["limit": "3"],
        .ok(#"[{"id": 7, "name": "Alien", "because": {"watched": "Aliens"}}]"#))
])
let client = APIClient(environment: try APIEnvironment("https://api.example.com"), transport: network)
let live = RemoteSource<Recommendation>.http(client, at: "suggestions", payload: SuggestionPayload.self) { suggestion in
    Recommendation(
        id: suggestion.id, title: suggestion.name, reason: "because you watched \(suggestion.because.watched)")
}
let delivered = Repository(source: live, configuration: .init(clock: clock.wall))
print(await screen(delivered, now: clock.wall.now()).split(separator: "\n")[0])
try network.verify()
// snippet.end

// snippet.output
// Output:
// 1 Heat, because you watched Ronin
// 2 Heat, because you watched Ronin
// 3 Heat, because you watched Ronin
// 0 min old
// Heat
// expected an example of Recommendation, found one that does not decode: 3:12: title: expected a string, found an array
// 1 Heat, popular
// 60 min old: offline
// nothing to show: offline
// 7 Alien, because you watched Aliens
