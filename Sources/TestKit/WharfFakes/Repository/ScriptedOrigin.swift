internal import Synchronization
public import WharfCore

/// A service in memory that a test controls, for reads and writes.
///
/// It has entity tags, and answers 404, 409 and 412 as a real service does.
public final class ScriptedOrigin<Model: Identifiable & Sendable>: Sendable
where Model.ID: Sendable & Equatable {
    private struct State {
        var models: [(model: Model, version: Int)]
        var version = 0
        var writes = 0
        var failure: ReadFailure?
        var readGate: Gate?
        var writeGate: Gate?
        var isTerse = false

        @discardableResult
        mutating func put(_ model: Model) -> (Model, Int) {
            version += 1
            if let index = models.firstIndex(where: { $0.model.id == model.id }) {
                models[index] = (model, version)
            } else {
                models.append((model, version))
            }
            return (model, version)
        }

        func refusal(of id: Model.ID, _ validator: String?) -> Snapshot<Model>? {
            guard let found = models.first(where: { $0.model.id == id }) else { return .status(404) }
            if let validator, validator != "\"\(found.version)\"" { return .status(412) }
            return nil
        }
    }

    // Each model has the version of its last change, and `version` is the greatest. Ids are unique.
    private let state: Mutex<State>
    private let clock: any WallClock

    /// Creates a service with models.
    public init(_ models: [Model] = [], clock: any WallClock) {
        self.state = Mutex(State(models: models.map { ($0, 0) }))
        self.clock = clock
    }

    /// The models of the service in order.
    public var models: [Model] { state.withLock { $0.models.map(\.model) } }
    /// The number of changes that reached the service, refused ones included.
    public var writes: Int { state.withLock { $0.writes } }

    /// Adds or replaces a model, as another client does.
    public func put(_ model: Model) {
        state.withLock { _ = $0.put(model) }
    }

    /// Removes a model, as another client does.
    public func remove(_ id: Model.ID) {
        state.withLock { state in state.models.removeAll { $0.model.id == id } }
    }

    /// Makes all later writes fail; nil ends this.
    public func failWrites(_ failure: ReadFailure?) { state.withLock { $0.failure = failure } }

    /// Makes writes wait at a gate before they are decided; nil for none.
    public func holdWrites(at gate: Gate?) { state.withLock { $0.writeGate = gate } }

    /// Makes reads wait at a gate after their answers are computed; nil for none.
    public func holdReads(at gate: Gate?) { state.withLock { $0.readGate = gate } }

    /// Sets whether the service accepts changes without returning the new model.
    public func beTerse(_ isTerse: Bool) { state.withLock { $0.isTerse = isTerse } }

    /// The source that reads from this service and writes to it.
    public var source: RemoteSource<Model> {
        RemoteSource(
            get: { [self] id, mode in
                await read(mode) { state in state.models.first { $0.model.id == id }.map(answer) ?? .status(404) }
            },
            list: { [self] _, mode in
                await read(mode) { state in
                    Snapshot(kept: .init(value: state.models.map(\.model), source: .network, asOf: clock.now()))
                }
            }
        ).writing { [self] change, _ in
            // The gate is passed without the lock. The change is decided afterwards, on the state
            // of that moment.
            await state.withLock { state in
                state.writes += 1
                return state.writeGate
            }?.pass()
            return state.withLock { make(change, &$0) }
        }
    }

    private func read<Value>(
        _ mode: CacheMode, _ answer: (inout State) -> Snapshot<Value>
    ) async -> Snapshot<Value> {
        guard mode != .storedOnly else {
            return Snapshot(
                kept: nil,
                error: ReadFailure(
                    .nothingKept,
                    message: "the script stores no values; read with a policy that asks the network"))
        }
        // The answer is computed before the gate: the test can change the service while an old
        // answer is under way.
        let (made, gate) = state.withLock { (answer(&$0), $0.readGate) }
        await gate?.pass()
        return made
    }

    private func make(_ change: RemoteChange<Model>, _ state: inout State) -> Snapshot<Model> {
        if let failure = state.failure { return Snapshot(kept: nil, error: failure) }
        switch change {
        case .add(let model):
            if state.models.contains(where: { $0.model.id == model.id }) { return .status(409) }
            return response(state.put(model), state)
        case .edit(let model, _, let validator):
            if let refusal = state.refusal(of: model.id, validator) { return refusal }
            return response(state.put(model), state)
        case .delete(let id, let validator):
            if let refusal = state.refusal(of: id, validator) { return refusal }
            state.models.removeAll { $0.model.id == id }
            return Snapshot(kept: nil)
        }
    }

    private func response(_ entry: (Model, Int), _ state: State) -> Snapshot<Model> {
        state.isTerse ? Snapshot(kept: nil) : answer(entry)
    }

    private func answer(_ entry: (model: Model, version: Int)) -> Snapshot<Model> {
        let head = HTTPResponse(status: .ok, headerFields: [.eTag: "\"\(entry.version)\""])
        return Snapshot(kept: .init(value: entry.model, source: .network, asOf: clock.now(), response: head))
    }
}

extension Snapshot {
    /// Returns an error status as an answer.
    fileprivate static func status(_ code: Int) -> Snapshot {
        let head = HTTPResponse(status: .init(code: code))
        return Snapshot(kept: nil, error: ReadFailure(.status, message: "scripted: \(code)", response: head))
    }
}
