internal import Synchronization
public import WharfCore

/// A repository without a service, which shows scripted snapshots.
///
/// A test or a preview can show values of any age, errors beside them, and running refreshes.
///
/// ```swift
/// let users = ScriptedRepository([User(id: 1, name: "Ada")])
/// let screen = UserScreen(users: users, id: 1)
/// users.show(User(id: 1, name: "Ada"), age: .seconds(3_600), error: ReadFailure(.offline, message: "scripted"))
/// #expect(screen.banner == "An hour old: no network")
/// ```
///
/// Policies have no effect, because there is no service. The shown snapshot is the answer to every
/// read, and every observer gets it. For tests of policies, use a live repository over a
/// ``ScriptedSource``. For tests of conflicts and refusals, use one over a ``ScriptedOrigin``.
///
/// A missing model is answered with 404. Changes are made, shown and delivered at once, unless
/// ``failWrites(_:)`` is set. A list has all models in their order. Only the limit of a query
/// counts.
public final class ScriptedRepository<Model: Identifiable & Sendable>: ReadWriteRepository where Model.ID: Sendable {
    /// A read or the start of an observation, with its arguments.
    public enum Read: Sendable {
        /// A read of one model.
        case one(Model.ID, ReadPolicy?)
        /// A read of a list.
        case list(EntityQuery<Model>, ReadPolicy?)
    }

    private let script: Mutex<Script<Model>>
    private let observing = ScriptObservers<Model>()
    private let clock: any WallClock

    /// Creates a repository.
    ///
    /// - Parameter clock: the clock from which ages are counted.
    public init(_ models: [Model] = [], clock: any WallClock = .system) {
        self.script = Mutex(Script(models))
        self.clock = clock
    }

    // MARK: What is shown

    /// Shows a model under its id and in the list.
    ///
    /// It replaces the model with this id, or is added at the end.
    ///
    /// - Parameters:
    ///   - age: the time since the service sent or revalidated the model.
    ///   - lifetime: the time from then for which it is fresh; nil if it has no lifetime.
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

    /// Shows any snapshot for an id, such as an error without a value.
    ///
    /// Lists do not change.
    public func show(_ snapshot: Snapshot<Model>, id: Model.ID) { change { $0.snapshots[id] = snapshot } }

    /// Shows a snapshot as every list; nil shows the models again.
    public func showList(_ snapshot: Snapshot<[Model]>?) { change { $0.list = snapshot } }

    /// Removes a model.
    public func remove(_ id: Model.ID) { change { $0.remove(id) } }

    /// Adds an error to all snapshots that have none; nil removes it.
    public func fail(_ failure: ReadFailure?) { change { $0.failure = failure } }

    /// Makes all later changes fail without an effect; nil ends this.
    public func failWrites(_ failure: WriteFailure?) { script.withLock { $0.writeFailure = failure } }

    /// Makes reads and changes wait at a gate before they take effect; nil for none.
    public func hold(at gate: Gate?) { script.withLock { $0.gate = gate } }

    // MARK: What was asked

    /// The models in their order.
    public var models: [Model] { script.withLock { $0.models } }
    /// The reads and observations in the order of their calls.
    public var reads: [Read] { script.withLock { $0.reads } }
    /// The changes in the order of their calls, without validators.
    public var writes: [RemoteChange<Model>] { script.withLock { $0.writes } }
    /// The number of present observers.
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
        // The failure at the time of the call counts, not one set while it waited.
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
            // Tell the observers under the lock, so that two changes can't overtake each other. A
            // yield only enqueues the reader; it does not run the reader here.
            observing.tell(script, clock.now())
        }
    }

    private func stream<Value: Sendable>(
        _ read: Read, _ answer: @escaping @Sendable (Script<Model>, WallTime) -> Snapshot<Value>
    ) -> AsyncStream<Snapshot<Value>> {
        script.withLock { script in
            script.reads.append(read)
            // Under the lock of the script: a change between the first snapshot and the
            // registration would be missed.
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
