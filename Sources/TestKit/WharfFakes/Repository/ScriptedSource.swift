internal import Synchronization
public import WharfCore

/// A remote source with a cache, both controlled by the test.
public final class ScriptedSource<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// The answer of the network.
    public enum Network: Sendable {
        /// These models. Other ids are answered with 404.
        case models([Model])
        /// A failure of each request.
        case failure(ReadFailure)
    }

    private struct State {
        var kept: [Snapshot<Model>.Kept] = []
        var network: Network
        var gate: Gate?
        var calls = 0
        var requests = 0
        var modes: [CacheMode] = []
    }

    private let state: Mutex<State>
    private let clock: any WallClock
    private let lifetime: Duration

    /// Creates a source.
    ///
    /// - Parameter lifetime: the time for which answers of the network are fresh.
    public init(_ network: Network = .models([]), lifetime: Duration = .seconds(60), clock: any WallClock) {
        self.state = Mutex(State(network: network))
        self.clock = clock
        self.lifetime = lifetime
    }

    /// The number of requests that reached the network.
    public var requests: Int { state.withLock { $0.requests } }
    /// The number of calls. A look and the request to the network that continues it are one call.
    public var calls: Int { state.withLock { $0.calls } }
    /// The cache modes of the looks and requests in order.
    public var modes: [CacheMode] { state.withLock { $0.modes } }

    /// Sets the answer of the network. Requests wait at the gate before they are answered.
    public func answer(_ network: Network, gate: Gate? = nil) {
        state.withLock {
            $0.network = network
            $0.gate = gate
        }
    }

    /// Puts models into the cache.
    public func keep(_ models: [Model], asOf: WallTime, staleAt: WallTime) {
        state.withLock { state in
            state.kept = models.map { .init(value: $0, source: .httpCache, asOf: asOf, staleAt: staleAt) }
        }
    }

    /// The source that a repository reads.
    public var source: RemoteSource<Model> {
        RemoteSource(
            get: { [self] id, mode in await called { await one(id, mode) } },
            list: { [self] _, mode in await called { await all(mode) } }
        ).storedThenNetwork { [self] id in
            await called { await StoredThenNetwork { [self] mode in await one(id, mode) } }
        } list: { [self] _ in
            await called { await StoredThenNetwork { [self] mode in await all(mode) } }
        }
    }

    private func called<Answer: Sendable>(_ answer: () async -> Answer) async -> Answer {
        state.withLock { $0.calls += 1 }
        return await answer()
    }

    private func one(_ id: Model.ID, _ mode: CacheMode) async -> Snapshot<Model> {
        await ask(mode, find: { kept in kept.first { $0.value.id == id } }) { models in
            models.first { $0.id == id }
        }
    }

    private func all(_ mode: CacheMode) async -> Snapshot<[Model]> {
        await ask(mode, find: Self.wholeList) { $0 }
    }

    private static func wholeList(_ kept: [Snapshot<Model>.Kept]) -> Snapshot<[Model]>.Kept? {
        kept.first.map { .init(value: kept.map(\.value), source: $0.source, asOf: $0.asOf, staleAt: $0.staleAt) }
    }

    private func ask<Value: Sendable>(
        _ mode: CacheMode, find: @Sendable ([Snapshot<Model>.Kept]) -> Snapshot<Value>.Kept?,
        pick: @Sendable ([Model]) -> Value?
    ) async -> Snapshot<Value> {
        let kept = state.withLock { state in
            state.modes.append(mode)
            return find(state.kept)
        }
        switch mode {
        case .storedOnly:
            let nothing = ReadFailure(
                .nothingKept,
                message: "the script stores no values; read with a policy that asks the network")
            return Snapshot(kept: kept, error: kept == nil ? nothing : nil)
        case .normal where kept?.isFresh(at: clock.now()) == true:
            return Snapshot(kept: kept)
        default:
            return await network(pick, fallback: mode == .bypass ? nil : kept)
        }
    }

    private func network<Value: Sendable>(
        _ pick: @Sendable ([Model]) -> Value?, fallback: Snapshot<Value>.Kept?
    ) async -> Snapshot<Value> {
        // The answer is taken before the gate, so later changes of the script do not alter a
        // request under way.
        let (network, gate) = state.withLock { state in
            state.requests += 1
            return (state.network, state.gate)
        }
        await gate?.pass()
        if Task.isCancelled {
            return Snapshot(kept: nil, error: ReadFailure(.cancelled, message: "the task was cancelled"))
        }
        switch network {
        case .models(let models):
            guard let value = pick(models) else {
                let head = HTTPResponse(status: .notFound)
                return Snapshot(kept: nil, error: ReadFailure(.status, message: "404 Not Found", response: head))
            }
            let now = clock.now()
            return Snapshot(kept: .init(value: value, source: .network, asOf: now, staleAt: now + lifetime))
        case .failure(let failure):
            return Snapshot(kept: failure.standsAlone ? nil : fallback, error: failure)
        }
    }
}

extension ReadFailure {
    /// Whether no kept value may stand in for the failure.
    ///
    /// A cache of bytes stands in only for a failure of the transport or the server. It can't know
    /// that a body does not decode.
    fileprivate var standsAlone: Bool {
        isAnswer || code == .undecodable || code == .unmappable || code == .tooLarge
    }
}
