import Synchronization
import WharfCore
import WharfCoreLaws
import WharfRandom
import WharfRepository

/// A service whose one model has a number that only grows, and whose answers take a random number
/// of scheduler steps.
final class VersionedOrigin: Sendable {
    typealias Model = RepositoryLaws.Model

    private struct Request {
        let question: String
        var isAbandoned = false
    }

    private struct State {
        var random: SeededGenerator
        var version = 1
        var requests: [Int: Request] = [:]
        var lastRequest = 0
        var violations: [String] = []
    }

    static let start = WallTime(secondsSince1970: 1_000_000_000)
    private let state: Mutex<State>
    /// The percentage of answers that are failures.
    private let failures: Int
    /// Whether requests with different cache modes may reach the service as the same question. A
    /// store bypasses the cache for a stale value.
    private let mayRepeat: Bool

    init(seed: UInt64, failures: Int, mayRepeat: Bool) {
        self.mayRepeat = mayRepeat
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        self.failures = failures
    }

    var clock: any WallClock { Clock(origin: self) }

    /// A clock whose time is the number of the model, as nothing else changes.
    private struct Clock: WallClock {
        let origin: VersionedOrigin
        func now() -> WallTime { VersionedOrigin.time(origin.version) }
    }

    static func time(_ version: Int) -> WallTime { start + .seconds(version) }
    static func model(_ version: Int) -> Model { Model(id: 1, name: String(version)) }
    static func version(_ model: Model) -> Int { Int(model.name) ?? 0 }

    var version: Int { state.withLock { $0.version } }
    var violations: [String] { state.withLock { $0.violations } }

    func publish() -> Int {
        state.withLock { state in
            state.version += 1
            return state.version
        }
    }

    func report(_ violation: String) { state.withLock { $0.violations.append(violation) } }

    func random(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.random) } }

    /// Yields a random number of times, possibly none.
    func pause(_ range: Range<Int> = 0..<4) async {
        for _ in 0..<random(range) { await Task.yield() }
    }

    var source: RemoteSource<Model> {
        RemoteSource(
            get: { [self] _, mode in await answer("the model", mode) { $0 } },
            list: { [self] _, mode in await answer("the list", mode) { [$0] } }
        ).writing { [self] change, _ in
            guard case .edit(let model, _, _) = change else { return .failed(.unsupported, "the script only edits") }
            return await take(model)
        }
    }

    /// Applies a change. Some of the answers do not contain the model.
    private func take(_ model: Model) async -> Snapshot<Model> {
        await pause()
        let version = Self.version(model)
        state.withLock { $0.version = version }
        await pause()
        guard random(0..<3) > 0 else { return Snapshot(kept: nil) }
        let asOf = Self.time(version)
        return Snapshot(kept: .init(value: model, source: .network, asOf: asOf, staleAt: asOf + .seconds(2)))
    }

    private func answer<Value: Sendable>(
        _ name: String, _ mode: CacheMode, _ value: (Model) -> Value
    ) async -> Snapshot<Value> {
        guard mode != .storedOnly else { return .failed(.nothingKept, "the script stores no values") }
        let number = begin("\(name) by \(mode)")
        defer { state.withLock { $0.requests[number] = nil } }
        let seen = await withTaskCancellationHandler {
            await pause()
            let seen = version
            await pause()
            return seen
        } onCancel: {
            state.withLock { $0.requests[number]?.isAbandoned = true }
        }
        if Task.isCancelled { return .failed(.cancelled, "the task was cancelled") }
        if random(0..<100) < failures { return .failed(.connectionFailed, "scripted: nobody listens") }
        let asOf = Self.time(seen)
        return Snapshot(
            kept: .init(value: value(Self.model(seen)), source: .network, asOf: asOf, staleAt: asOf + .seconds(2)))
    }

    private func begin(_ question: String) -> Int {
        state.withLock { state in
            if !mayRepeat, !Task.isCancelled,
                state.requests.values.contains(where: { $0.question == question && !$0.isAbandoned })
            {
                state.violations.append("two requests for \(question) at the same time")
            }
            state.lastRequest += 1
            state.requests[state.lastRequest] = Request(question: question)
            return state.lastRequest
        }
    }
}

extension Snapshot {
    fileprivate static func failed(_ code: ReadFailure.Code, _ message: String) -> Snapshot {
        Snapshot(kept: nil, error: ReadFailure(code, message: message))
    }
}
