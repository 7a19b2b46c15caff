internal import Synchronization
public import WharfCore

/// A repository without a service, which says what a test or a preview wants to see: values of any
/// age, errors beside them, refreshes under way.
///
/// ```swift
/// let users = ScriptedRepository([User(id: 1, name: "Ada")])
/// let screen = UserScreen(users: users, id: 1)
/// users.show(User(id: 1, name: "Ada"), age: .seconds(3_600), error: ReadFailure(.offline, message: "scripted"))
/// #expect(screen.banner == "An hour old: no network")
/// ```
///
/// A policy changes nothing here, for there is nothing to ask: what is shown is the answer to every
/// read, and reaches everyone who observes it. Where a test is about policies, take a live
/// repository over a ``ScriptedSource``; about conflicts and refusals, over a ``ScriptedOrigin``.
///
/// A model that is not there is answered with 404. Changes are made at once, shown and delivered,
/// unless ``failWrites(_:)`` says otherwise. A list is all models in their order, up to the limit
/// of the query, which is not asked further.
public final class ScriptedRepository<Model: Identifiable & Sendable>: ReadWriteRepository where Model.ID: Sendable {
    /// A read or the beginning of an observation, as it was asked for.
    public enum Read: Sendable {
        case one(Model.ID, ReadPolicy?)
        case list(EntityQuery<Model>, ReadPolicy?)
    }

    private let script: Mutex<Script<Model>>
    private let observing = ScriptObservers<Model>()
    private let clock: any WallClock

    /// - Parameter clock: the time that ages are counted from.
    public init(_ models: [Model] = [], clock: any WallClock = .system) {
        self.script = Mutex(Script(models))
        self.clock = clock
    }

    // MARK: What is shown

    /// Shows a model under its id, and in the list: in the place of the one that has the id, or
    /// behind the others.
    ///
    /// - Parameters:
    ///   - age: how long ago the service vouched for it.
    ///   - lifetime: how long from then it is fresh; nil when nobody said so.
    public func show(
        _ model: Model, source: Source = .network, age: Duration = .zero, lifetime: Duration? = nil,
        error: ReadFailure? = nil, fetch: FetchStatus = .idle
    ) {
        let asOf = clock.now() - age
        let kept = Snapshot<Model>.Kept(value: model, source: source, asOf: asOf, staleAt: lifetime.map { asOf + $0 })
        change { script in
            script.put(model)
            script.snapshots[model.id] = Snapshot(kept: kept, error: error, fetch: fetch)
        }
    }

    /// Shows whatever a read of one id can give: an error without a value, for one. Lists stay as
    /// they are.
    public func show(_ snapshot: Snapshot<Model>, id: Model.ID) { change { $0.snapshots[id] = snapshot } }

    /// Shows this to whoever reads or observes a list, in place of the models; nil for the models
    /// again.
    public func showList(_ snapshot: Snapshot<[Model]>?) { change { $0.list = snapshot } }

    /// Takes a model away.
    public func remove(_ id: Model.ID) { change { $0.remove(id) } }

    /// Puts an error beside all that has none of its own; nil for none.
    public func fail(_ failure: ReadFailure?) { change { $0.failure = failure } }

    /// What the service says to each change from now on, of which nothing is made then; nil for
    /// none.
    public func failWrites(_ failure: WriteFailure?) { script.withLock { $0.writeFailure = failure } }

    /// Where reads wait before they are answered, and changes before they are made; nil for no such
    /// place.
    public func hold(at gate: Gate?) { script.withLock { $0.gate = gate } }

    // MARK: What was asked

    /// All models that it has, in their order.
    public var models: [Model] { script.withLock { $0.models } }
    /// Reads and observations, in the order in which they came.
    public var reads: [Read] { script.withLock { $0.reads } }
    /// Changes that were asked for, in the order in which they came, without validators.
    public var writes: [RemoteChange<Model>] { script.withLock { $0.writes } }
    /// How many observe at present.
    public var observers: Int { observing.count }

    // MARK: Repository

    public func snapshot(id: Model.ID, policy: ReadPolicy?) async -> Snapshot<Model> {
        await asked(.one(id, policy))
        if Task.isCancelled { return Snapshot(kept: nil, error: .cancelled()) }
        return script.withLock { $0.snapshot(id, clock.now()) }
    }

    public func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]> {
        await asked(.list(query, policy))
        if Task.isCancelled { return Snapshot(kept: nil, error: .cancelled()) }
        return script.withLock { $0.list(query, clock.now()) }
    }

    public func observe(id: Model.ID, policy: ReadPolicy?) -> SnapshotSequence<Model> {
        SnapshotSequence { [self] in stream(.one(id, policy)) { $0.snapshot(id, $1) } }
    }

    public func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]> {
        SnapshotSequence { [self] in stream(.list(query, policy)) { $0.list(query, $1) } }
    }

    @discardableResult
    public func add(_ model: Model, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model> {
        await write(.add(model)) { $0.put(model) }
    }

    @discardableResult
    public func edit(
        _ changed: Model, basedOn shown: Model, _ mode: WriteMode
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        guard changed.id == shown.id else { throw .changedID(shown.id, changed.id) }
        return await write(.edit(changed, of: shown, validator: nil)) { $0.put(changed) }
    }

    @discardableResult
    public func edit(
        _ id: Model.ID, _ mode: WriteMode, _ change: @escaping @Sendable (inout Model) -> Void
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        guard let base = models.first(where: { $0.id == id }) else { throw .unknownModel(id) }
        var model = base
        change(&model)
        guard model.id == id else { throw .changedID(id, model.id) }
        return await write(.edit(model, of: base, validator: nil)) { [model] in $0.put(model) }
    }

    @discardableResult
    public func delete(id: Model.ID, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model> {
        await write(.delete(id, validator: nil)) { $0.remove(id) }
    }

    private func write(
        _ request: RemoteChange<Model>, _ make: @escaping @Sendable (inout Script<Model>) -> Void
    ) async -> WriteReceipt<Model> {
        let (gate, failure) = script.withLock { script in
            script.writes.append(request)
            return (script.gate, script.writeFailure)
        }
        await gate?.pass()
        if let failure { return WriteReceipt { .rejected(failure) } }
        change(make)
        return WriteReceipt { .delivered(request.model) }
    }

    private func asked(_ read: Read) async {
        let gate = script.withLock { script in
            script.reads.append(read)
            return script.gate
        }
        await gate?.pass()
    }

    private func change(_ body: (inout Script<Model>) -> Void) {
        script.withLock { script in
            body(&script)
            // Under the lock two changes can't overtake each other; yielding only enqueues the
            // reader.
            observing.tell(script, clock.now())
        }
    }

    private func stream<Value: Sendable>(
        _ read: Read, _ answer: @escaping @Sendable (Script<Model>, WallTime) -> Snapshot<Value>
    ) -> AsyncStream<Snapshot<Value>> {
        script.withLock { script in
            script.reads.append(read)
            return observing.stream(answer, from: script, clock.now())
        }
    }
}

extension WriteFailure {
    fileprivate static func unknownModel(_ id: some Sendable) -> WriteFailure {
        WriteFailure(.notFound, message: "the script has no model \(id) to make the edit on; show it first, or add it")
    }

    fileprivate static func changedID<ID: Sendable>(_ id: ID, _ other: ID) -> WriteFailure {
        WriteFailure(.invalid, message: "an edit can't give the model \(id) the id \(other); add another one")
    }
}
