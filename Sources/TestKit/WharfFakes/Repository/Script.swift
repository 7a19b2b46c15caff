package import WharfCore

/// The state of a ``ScriptedRepository``.
struct Script<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    private(set) var models: [Model]
    /// The snapshots that replace the models of their ids.
    var snapshots: [Model.ID: Snapshot<Model>] = [:]
    /// The snapshot that replaces all models.
    var list: Snapshot<[Model]>?
    var failure: ReadFailure?
    var writeFailure: WriteFailure?
    var gate: Gate?
    var reads: [ScriptedRepository<Model>.Read] = []
    var writes: [RemoteChange<Model>] = []

    init(_ models: [Model]) { self.models = models }

    mutating func put(_ model: Model) {
        snapshots[model.id] = nil
        if let index = models.firstIndex(where: { $0.id == model.id }) {
            models[index] = model
        } else {
            models.append(model)
        }
    }

    mutating func remove(_ id: Model.ID) {
        snapshots[id] = nil
        models.removeAll { $0.id == id }
    }

    func snapshot(_ id: Model.ID, _ now: WallTime) -> Snapshot<Model> {
        // A snapshot with an error of its own keeps it: the test has asked for exactly that.
        if let snapshot = snapshots[id] { return snapshot.error == nil ? snapshot.with(failure) : snapshot }
        guard let model = models.first(where: { $0.id == id }) else {
            return Snapshot(kept: nil, error: failure ?? .answer(404))
        }
        return Snapshot(kept: .init(value: model, source: .network, asOf: now), error: failure)
    }

    func list(_ query: EntityQuery<Model>, _ now: WallTime) -> Snapshot<[Model]> {
        if let list { return list.error == nil ? list.with(failure) : list }
        let shown = Array(models.prefix(max(0, query.rows.limit ?? models.count)))
        return Snapshot(kept: .init(value: shown, source: .network, asOf: now), error: failure)
    }
}

extension Snapshot {
    fileprivate func with(_ error: ReadFailure?) -> Snapshot { Snapshot(kept: kept, error: error, fetch: fetch) }
}

extension RemoteChange {
    /// The state of the model after the change; nil after a deletion.
    var model: Model? {
        switch self {
        case .add(let model), .edit(let model, _, _): model
        case .delete: nil
        }
    }
}

extension ReadFailure {
    /// Returns an error status as the answer of a service.
    package static func answer(_ code: Int) -> ReadFailure {
        ReadFailure(.status, message: "scripted: \(code)", response: HTTPResponse(status: .init(code: code)))
    }
}
