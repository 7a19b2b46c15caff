// snippet.hide
import Synchronization
// Article D, recommendations before there is an engine: first the app's own interface and a fake,
// later an adapter.
// snippet.show
// snippet.contract
import Wharf
import WharfFakes

// snippet.show

/// A film that the user may like, with the mark by which the engine recognises it in events.
struct Recommendation: Identifiable, Equatable, Sendable {
    let id: String
    let title: String
    /// nil if no engine has chosen the film.
    var attribution: String?
}

/// An event for the engine.
struct Watched: Equatable, Sendable {
    let film: String
    let attribution: String?
}

/// The engine's interface as the app needs it. The real engine does not exist yet.
struct RecommendationEngine: Sendable {
    let recommend: @Sendable (_ limit: Int) async throws -> [Recommendation]
    let watched: @Sendable (Watched) async throws -> Void

    func recommend(limit: Int) async throws -> [Recommendation] { try await recommend(limit) }
}
// snippet.end

// snippet.screen
/// The recommendations for one user, and the user's reactions.
struct Recommendations {
    let engine: RecommendationEngine
    /// The user's recommendations, or popular films in their place.
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
        row = Repository(source: own, configuration: .init(policy: .networkFirst, clock: clock))
            .within(.seconds(1), clock: clock, timer: timer)
            .orElse(popular, named: "popular")
    }

    func show() async -> Snapshot<[Recommendation]> { await row.listSnapshot(EntityQuery().limit(2)) }

    func watch(_ film: Recommendation) async throws {
        try await engine.watched(Watched(film: film.id, attribution: film.attribution))
    }
}

/// Returns a line with the films, their source and the error. There are films in every case.
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
// The first version has no engine. The screen is built and tested on this fake.
let recorded = Mutex<[Watched]>([])
let fake = RecommendationEngine(
    recommend: { limit in
        (1...limit).map { Recommendation(id: "f\($0)", title: "Film \($0)", attribution: "fake-\($0)") }
    },
    watched: { event in recorded.withLock { $0.append(event) } })

let popular = ScriptedRepository([Recommendation(id: "m1", title: "Metropolis")], clock: clock.wall)
let early = Recommendations(fake, orElse: popular, clock: clock.wall, timer: clock)
let films = await early.show()
print(line(films))
try await early.watch(try films.get()[1])
print(recorded.withLock { $0 } == [Watched(film: "f2", attribution: "fake-2")])
// snippet.end

// snippet.engine
/// The real engine, years later. It has completion handlers, encodes all data in one string, and
/// counts from 1.
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

    /// - Parameter report: "rq81#1=f7": by request and rank the engine recognises its
    ///   recommendation.
    func feedback(_ report: String, completion: @escaping @Sendable (Int) -> Void) {
        // snippet.hide
        reported.withLock { $0.append(report) }
        completion(0)
        // snippet.show
    }
}
// snippet.end

// snippet.adapter
/// An error code of the engine, or an answer that does not parse.
struct EngineError: Error, CustomStringConvertible {
    let description: String
}

extension RecommendationEngine {
    /// The only code that depends on that engine. The engine has ids only; the titles are the
    /// app's.
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
                // The engine accepts events only about its own recommendations.
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
// Only this line changes.
let live = RecommendationEngine(engine, titles: ["f3": "Alien", "f7": "Heat"])
let row = Recommendations(live, orElse: popular, clock: clock.wall, timer: clock)

// The engine is slow. After a second the row shows popular films, and they are not reported to the
// engine as its recommendations.
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
// The late answer is kept. When the engine is down, the read returns it with its marks and the
// error.
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
