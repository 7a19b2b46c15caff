internal import Synchronization
public import WharfCore

/// A remote source with a cache in front, both under the test's control: what is kept, and what the
/// network would say.
public final class ScriptedSource<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// What the network answers.
    public enum Network: Sendable {
        /// These models; an id that is not among them is answered with 404.
        case models([Model])
        case failure(ReadFailure)
    }

    private struct State {
        var kept: [Snapshot<Model>.Kept] = []
        var network: Network
        var gate: Gate?
        var requests = 0
        var modes: [CacheMode] = []
    }

    private let state: Mutex<State>
    private let clock: any WallClock
    private let lifetime: Duration

    /// - Parameter lifetime: how long what the network answers is fresh.
    public init(_ network: Network = .models([]), lifetime: Duration = .seconds(60), clock: any WallClock) {
        self.state = Mutex(State(network: network))
        self.clock = clock
        self.lifetime = lifetime
    }

    /// Requests that reached the network.
    public var requests: Int { state.withLock { $0.requests } }
    /// The modes that were asked with, in order.
    public var modes: [CacheMode] { state.withLock { $0.modes } }

    /// What the network says from now on; requests wait at the gate before they are answered.
    public func answer(_ network: Network, gate: Gate? = nil) {
        state.withLock {
            $0.network = network
            $0.gate = gate
        }
    }

    /// Puts models into the cache in front.
    public func keep(_ models: [Model], asOf: WallTime, staleAt: WallTime) {
        state.withLock { state in
            state.kept = models.map { .init(value: $0, source: .httpCache, asOf: asOf, staleAt: staleAt) }
        }
    }

    public var source: RemoteSource<Model> {
        RemoteSource(
            get: { [self] id, mode in
                await ask(mode, find: { kept in kept.first { $0.value.id == id } }) { models in
                    models.first { $0.id == id }
                }
            },
            list: { [self] _, mode in
                await ask(mode, find: Self.wholeList) { $0 }
            }
        )
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
            let nothing = ReadFailure(.nothingKept, message: "the script keeps nothing")
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
    /// A cache of bytes falls back on a transport's or a server's failure only; it can't know that
    /// a body does not decode.
    fileprivate var standsAlone: Bool {
        isAnswer || code == .undecodable || code == .unmappable || code == .tooLarge
    }
}
