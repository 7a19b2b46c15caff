// snippet.hide
import Synchronization
// Article D, recommendations before there is an engine: the interface that the app wishes for, a
// fake from day one, an adapter in the end.
// snippet.show
// snippet.contract
import Wharf
import WharfTesting

// snippet.show

/// What the user may like, with the mark by which the engine learns what came of it.
struct Recommendation: Identifiable, Equatable, Sendable {
    let id: String
    let title: String
    /// nil for what no engine has chosen.
    var attribution: String?
}

/// What the engine is told.
struct Watched: Equatable, Sendable {
    let film: String
    let attribution: String?
}

/// The engine that we wish for. We know our side of it, and that is all.
struct RecommendationEngine: Sendable {
    let recommend: @Sendable (_ limit: Int) async throws -> [Recommendation]
    let watched: @Sendable (Watched) async throws -> Void

    func recommend(limit: Int) async throws -> [Recommendation] { try await recommend(limit) }
}
// snippet.end

// snippet.screen
/// What has been recommended to one user, and what the user makes of it.
struct Recommendations {
    let engine: RecommendationEngine
    /// The user's own, or whatever stands in for them.
    let row: any ReadableRepository<Recommendation>

    init(
        _ engine: RecommendationEngine, orElse popular: any ReadableRepository<Recommendation>,
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock()
    ) {
        self.engine = engine
        let own = RemoteSource<Recommendation>(
            get: { id in throw ReadFailure(.unsupported, message: "expected a list: \(id) is not asked for by itself")
            },
            list: { query in try await engine.recommend(limit: query.rows.limit ?? 10) }, clock: clock)
        row = Repository(source: own, policy: .networkFirst, clock: clock)
            .within(.seconds(1), clock: clock, timer: timer)
            .orElse(popular, named: "popular")
    }

    func show() async -> Snapshot<[Recommendation]> { await row.listSnapshot(EntityQuery().limit(2)) }

    func watch(_ film: Recommendation) async throws {
        try await engine.watched(Watched(film: film.id, attribution: film.attribution))
    }
}

/// Whatever happens there are films on the screen; where they come from, and what went wrong, stand
/// beside them.
func line(_ snapshot: Snapshot<[Recommendation]>) -> String {
    let films = (snapshot.value ?? []).map(\.title).joined(separator: ", ")
    let label = snapshot.kept.map { $0.remote ?? ($0.source == .network ? "yours" : "yours, kept") } ?? "nothing"
    return "\(label): \(films)" + (snapshot.error.map { " (\($0.code))" } ?? "")
}
// snippet.end

// snippet.hide
let clock = TestClock()
// snippet.show
// snippet.fake
// Day one: no engine, no team that builds one. The screen is built and tested on this.
let told = Mutex<[Watched]>([])
let fake = RecommendationEngine(
    recommend: { limit in
        (1...limit).map { Recommendation(id: "f\($0)", title: "Film \($0)", attribution: "fake-\($0)") }
    },
    watched: { event in told.withLock { $0.append(event) } })

let popular = ScriptedRepository([Recommendation(id: "m1", title: "Metropolis")], clock: clock.wall)
let early = Recommendations(fake, orElse: popular, clock: clock.wall, timer: clock)
let films = await early.show()
print(line(films))
try await early.watch(try films.get()[1])
print(told.withLock { $0 } == [Watched(film: "f2", attribution: "fake-2")])
// snippet.end

// snippet.engine
/// The engine, years later. It calls back, has one string for everything, and counts from 1.
final class RankingEngine: Sendable {
    // snippet.hide
    let reported = Mutex<[String]>([])
    let gate = Mutex<Gate?>(nil)
    let isBroken = Mutex(false)
    // snippet.show
    /// - Parameter completion: "rq81|2:f3;1:f7", or nil and a number for the error.
    func fetchRanks(_ count: Int, completion: @escaping @Sendable (String?, Int) -> Void) {
        // snippet.hide
        let gate = gate.withLock { $0 }
        Task {
            await gate?.pass()
            isBroken.withLock { $0 } ? completion(nil, 17) : completion("rq81|2:f3;1:f7", 0)
        }
        // snippet.show
    }

    /// - Parameter report: "rq81#1=f7": the request and the rank are how it knows what it has said.
    func feedback(_ report: String, completion: @escaping @Sendable (Int) -> Void) {
        // snippet.hide
        reported.withLock { $0.append(report) }
        completion(0)
        // snippet.show
    }
}
// snippet.end

// snippet.adapter
/// What the engine says is not what it should have said.
struct EngineError: Error, CustomStringConvertible {
    let description: String
}

extension RecommendationEngine {
    /// All that knows of that engine. It has ids only; the titles are ours.
    init(_ engine: RankingEngine, titles: [String: String]) {
        self.init(
            recommend: { limit in
                let answer = try await withCheckedThrowingContinuation { continuation in
                    engine.fetchRanks(limit) { answer, code in
                        continuation.resume(
                            with: answer.map { .success($0) } ?? .failure(EngineError(description: "error \(code)")))
                    }
                }
                return try Self.ranked(answer, titles)
            },
            watched: { event in
                // What it did not recommend it does not want to hear of.
                guard let attribution = event.attribution else { return }
                let code = await withCheckedContinuation { continuation in
                    engine.feedback("\(attribution)=\(event.film)") { continuation.resume(returning: $0) }
                }
                if code != 0 { throw EngineError(description: "error \(code)") }
            })
    }

    private static func ranked(_ answer: String, _ titles: [String: String]) throws -> [Recommendation] {
        let parts = answer.split(separator: "|", maxSplits: 1)
        guard parts.count == 2 else { throw EngineError(description: "expected request|ranks, found \(answer)") }
        return try parts[1].split(separator: ";").map { entry in
            let pair = entry.split(separator: ":", maxSplits: 1)
            guard pair.count == 2, let rank = Int(pair[0]), rank > 0 else {
                throw EngineError(description: "expected rank:id, found \(entry)")
            }
            let id = String(pair[1])
            let film = Recommendation(id: id, title: titles[id] ?? id, attribution: "\(parts[0])#\(rank)")
            return (rank, film)
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
// snippet.end

// snippet.hide
let engine = RankingEngine()
// snippet.show
// snippet.live
// The one line that changes.
let live = RecommendationEngine(engine, titles: ["f3": "Alien", "f7": "Heat"])
let row = Recommendations(live, orElse: popular, clock: clock.wall, timer: clock)

// The engine takes its time. A second later the row has what is popular, and nobody is told that
// the engine was right.
// snippet.hide
let gate = Gate()
engine.gate.withLock { $0 = gate }
let reading = Task { await row.show() }
await clock.untilSleeping()
clock.advance(by: .seconds(1))
let late = await reading.value
// snippet.show
print(line(late))
try await row.watch(try late.get()[0])
print(engine.reported.withLock { $0 })
// snippet.end

// snippet.kept
// The late answer is kept. When the engine is down it is there, with its marks, and the error
// beside it.
// snippet.hide
gate.open()
while await row.row.listSnapshot(EntityQuery().limit(2), policy: .cacheOnly).kept?.remote != nil { await Task.yield() }
engine.isBroken.withLock { $0 = true }
// snippet.show
let kept = await row.show()
print(line(kept))
try await row.watch(try kept.get()[0])
print(engine.reported.withLock { $0 })

engine.isBroken.withLock { $0 = false }
print(line(await row.show()))
// snippet.end

// snippet.output
// Output:
// yours: Film 1, Film 2
// true
// popular: Metropolis (timedOut)
// []
// yours, kept: Heat, Alien (sourceFailed)
// ["rq81#1=f7"]
// yours: Heat, Alien
