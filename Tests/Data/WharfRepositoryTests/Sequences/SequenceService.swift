import Synchronization
import WharfCore
import WharfCoreLaws

/// The service of a sequence, without a cache in front of it.
final class SequenceService: Sendable {
    typealias Model = RepositoryLaws.Model

    private struct State {
        var models: [Int: String] = [1: "a", 2: "b"]
        var failure: Operation.Failure?
        var forbidsStoring = false
        var requests = 0
    }

    private let state = Mutex(State())

    var requests: Int { state.withLock { $0.requests } }

    func perform(_ operation: Operation) {
        state.withLock { state in
            switch operation {
            case .publish(let id, let name): state.models[id] = name
            case .withdraw(let id): state.models[id] = nil
            case .fail(let failure): state.failure = failure
            case .forbidStoring(let forbids): state.forbidsStoring = forbids
            default: break
            }
        }
    }

    func source(_ clock: some WallClock) -> RemoteSource<Model> {
        RemoteSource { [self] id, mode in
            answer(mode, at: clock.now()) { models in models[id].map { Model(id: id, name: $0) } }
        } list: { [self] query, mode in
            answer(mode, at: clock.now()) { models in
                Operation.Page(query).ids(of: models).map { Model(id: $0, name: models[$0] ?? "") }
            }
        }
    }

    private func answer<Value: Sendable>(
        _ mode: CacheMode, at now: WallTime, _ pick: ([Int: String]) -> Value?
    ) -> Snapshot<Value> {
        guard mode != .storedOnly else {
            return Snapshot(kept: nil, error: ReadFailure(.nothingKept, message: "scripted"))
        }
        return state.withLock { state in
            state.requests += 1
            if let failure = state.failure { return Snapshot(kept: nil, error: failure.failure) }
            guard let value = pick(state.models) else {
                return Snapshot(kept: nil, error: Operation.Failure.notFound.failure)
            }
            let head = HTTPResponse(
                status: .ok, headerFields: state.forbidsStoring ? [.cacheControl: "no-store"] : [:])
            return Snapshot(
                kept: .init(
                    value: value, source: .network, asOf: now, staleAt: now + DictionaryModel.lifetime, response: head))
        }
    }
}

extension DictionaryModel {
    mutating func perform(_ operation: Operation) {
        switch operation {
        case .publish(let id, let name): service[id] = name
        case .withdraw(let id): service[id] = nil
        case .fail(let failure): self.failure = failure
        case .forbidStoring(let forbids): forbidsStoring = forbids
        default: break
        }
    }
}
