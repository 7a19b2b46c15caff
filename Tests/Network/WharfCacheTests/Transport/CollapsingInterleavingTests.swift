import Synchronization
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfRandom

/// Random requests in random interleavings. A request that never ends stalls the scheduler.
@Suite struct CollapsingInterleavingTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func eachRequestEndsWithAnAnswerOfItsOwnKey(block: UInt64) throws {
        for seed in (block * 1_000)..<(block * 1_000 + 60) {
            let violations = try SeededScheduler(seed: seed).run { scheduler in
                await Run(seed, scheduler).violations()
            }
            #expect(violations.isEmpty, "seed \(seed): \(violations)")
        }
    }

    private struct Plan: Sendable {
        let request: TransportRequest
        let path: String
        let accept: String
        let isHead: Bool
        /// The number of steps before the request, and before its cancellation.
        let begin: Int
        let cancel: Int?
    }

    private struct Run: Sendable {
        let seed: UInt64
        let scheduler: SeededScheduler

        init(_ seed: UInt64, _ scheduler: SeededScheduler) { (self.seed, self.scheduler) = (seed, scheduler) }

        func violations() async -> [String] {
            var random = SeededGenerator(seed: seed)
            let plans = (0..<8).map { _ in Self.plan(&random) }
            let clock = TestClock(start: noon)
            let failures = Mutex(0)
            let shared = Mutex(SeededGenerator(seed: seed &+ 1))
            let origin = StubTransport(clock: clock.wall, timer: clock) { request in
                let (steps, answer) = shared.withLock { random in
                    (Int.random(in: 0...6, using: &random), Self.answer(to: request, &random))
                }
                for _ in 0..<steps { await Task.yield() }
                if answer.failure != nil { failures.withLock { $0 += 1 } }
                return answer
            }
            let cache = CachingTransport(
                origin, store: MemoryCacheStore(), clock: clock.wall, timer: clock, onIncident: { _ in })
            let tasks = plans.map { plan in
                Task(executorPreference: scheduler) {
                    for _ in 0..<plan.begin { await Task.yield() }
                    return await Self.read(plan, cache)
                }
            }
            for (plan, task) in zip(plans, tasks) {
                guard let steps = plan.cancel else { continue }
                Task(executorPreference: scheduler) {
                    for _ in 0..<steps { await Task.yield() }
                    task.cancel()
                }
            }
            let steps = Int.random(in: 0...40, using: &random)
            Task(executorPreference: scheduler) {
                for _ in 0..<steps { await Task.yield() }
                clock.advance(by: .seconds(5))
            }
            var found: [String] = []
            var failed = 0
            for (plan, task) in zip(plans, tasks) {
                switch await task.value {
                case .success(let text):
                    if text != Self.text(plan) { found.append("\(Self.text(plan)) got \(text)") }
                case .failure(let error):
                    switch error.code {
                    case .cancelled where plan.cancel != nil, .timedOut where plan.request.timeout != nil: break
                    default: failed += 1
                    }
                }
            }
            // One failure of the origin fails one request.
            let limit = failures.withLock { $0 }
            if failed > limit { found.append("\(failed) requests failed after \(limit) failures") }
            if origin.requests.count > plans.count { found.append("\(origin.requests.count) requests were sent") }
            return found
        }

        private static func plan(_ random: inout SeededGenerator) -> Plan {
            let path = ["/a", "/a", "/b"].randomElement(using: &random) ?? "/a"
            let accept = ["x", "x", "y"].randomElement(using: &random) ?? "x"
            let isHead = Int.random(in: 0..<6, using: &random) == 0
            var fields: HTTPFields = [.accept: accept]
            if Int.random(in: 0..<6, using: &random) == 0 { fields[.cacheControl] = "no-store" }
            let timeout: Duration? = Int.random(in: 0..<4, using: &random) == 0 ? .seconds(3) : nil
            return Plan(
                request: get(fields, method: isHead ? .head : .get, path: path, timeout: timeout), path: path,
                accept: accept, isHead: isHead, begin: Int.random(in: 0...10, using: &random),
                cancel: Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0...30, using: &random) : nil)
        }

        /// The text of the right answer: its path, and the field that `Vary` names.
        private static func text(_ plan: Plan) -> String { plan.isHead ? "" : "\(plan.path) \(plan.accept)" }

        private static func answer(to request: TransportRequest, _ random: inout SeededGenerator) -> StubAnswer {
            let text = "\(request.head.path ?? "") \(request.head.headerFields[.accept] ?? "")"
            var fields: HTTPFields = [.cacheControl: "max-age=60", .vary: "Accept"]
            let bytes = Array(text.utf8)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: return .failure(.connectionFailed)
            case 1: return .broken([Array(bytes.prefix(2))], fields: fields)
            case 2, 3: fields[.cacheControl] = "no-store"
            case 4: fields[.cacheControl] = "max-age=2"
            default: break
            }
            return StubAnswer(
                head: HTTPResponse(status: .ok, headerFields: fields),
                chunks: [Array(bytes.prefix(2)), Array(bytes.dropFirst(2))])
        }

        private static func read(_ plan: Plan, _ cache: CachingTransport) async -> Result<String, TransportError> {
            do throws(TransportError) {
                let response = try await cache.send(plan.request)
                return .success(String(decoding: try await response.body.collect(), as: UTF8.self))
            } catch {
                return .failure(error)
            }
        }
    }
}
