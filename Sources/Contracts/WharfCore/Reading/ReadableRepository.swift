/// A repository that reads models by id and as lists.
///
/// To write a repository, live or fake, implement four requirements. They do not throw, because an
/// error is part of a snapshot. All other functions (`get`, `list`, completions) are built on them.
///
/// ```swift
/// let users: any ReadableRepository<User> = stack.repository(at: "users", payload: UserPayload.self) { User($0) }
/// let user = try await users.get(id: 1)
/// ```
///
/// Every conformer keeps these laws; `RepositoryLaws` in `WharfCoreLaws` checks them:
/// - Each policy acts on kept values as ``ReadPolicy`` says.
/// - A failed refresh never removes a kept value. A kept value never masks an answer such as 404.
/// - A sequence starts at once with the known value and goes on after failures.
/// - A cancelled read ends. The same read of another caller goes on.
public protocol ReadableRepository<Model>: Sendable {
    /// The type of the models.
    associatedtype Model: Identifiable & Sendable where Model.ID: Sendable

    /// Returns one model.
    ///
    /// - Parameter policy: the policy; nil for the repository's default.
    func snapshot(id: Model.ID, policy: ReadPolicy?) async -> Snapshot<Model>

    /// Returns one model now, and again at each change, until the reader stops.
    ///
    /// - Parameter policy: the policy of the first read; nil for ``ReadPolicy/cacheThenNetwork``.
    func observe(id: Model.ID, policy: ReadPolicy?) -> SnapshotSequence<Model>

    /// Returns the models that match a query, in the order of the source.
    func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]>

    /// Returns the models that match a query now, and again at each change.
    ///
    /// The sequence ends when the reader stops.
    func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]>
}

extension ReadableRepository {
    /// Returns one model by the repository's default policy.
    public func snapshot(id: Model.ID) async -> Snapshot<Model> { await snapshot(id: id, policy: nil) }
    /// Observes one model, first by ``ReadPolicy/cacheThenNetwork``.
    public func observe(id: Model.ID) -> SnapshotSequence<Model> { observe(id: id, policy: nil) }

    /// Returns all models.
    public func listSnapshot(policy: ReadPolicy? = nil) async -> Snapshot<[Model]> {
        await listSnapshot(EntityQuery(), policy: policy)
    }

    /// Returns the models that match a query, by the default policy.
    public func listSnapshot(_ query: EntityQuery<Model>) async -> Snapshot<[Model]> {
        await listSnapshot(query, policy: nil)
    }

    /// Observes all models.
    public func observeList(policy: ReadPolicy? = nil) -> SnapshotSequence<[Model]> {
        observeList(EntityQuery(), policy: policy)
    }

    /// Observes the models of a query, first by ``ReadPolicy/cacheThenNetwork``.
    public func observeList(_ query: EntityQuery<Model>) -> SnapshotSequence<[Model]> {
        observeList(query, policy: nil)
    }

    /// Returns one model, even a kept one if the refresh failed.
    ///
    /// Use ``snapshot(id:policy:)`` to tell the two cases apart.
    public func get(id: Model.ID, policy: ReadPolicy? = nil) async throws(ReadFailure) -> Model {
        try await snapshot(id: id, policy: policy).get()
    }

    /// Returns the models that match a query, even kept ones if the refresh failed.
    public func list(
        _ query: EntityQuery<Model> = EntityQuery(), policy: ReadPolicy? = nil
    ) async throws(ReadFailure) -> [Model] {
        try await listSnapshot(query, policy: policy).get()
    }

    /// Reads one model and calls back exactly once with value and error together.
    ///
    /// The closure runs on the actor on which it was formed.
    @discardableResult
    public func snapshot(
        id: Model.ID, policy: ReadPolicy? = nil,
        completion: @escaping @isolated(any) @Sendable (Snapshot<Model>) -> Void
    ) -> Cancellation {
        let task = Task { await completion(await snapshot(id: id, policy: policy)) }
        return Cancellation { task.cancel() }
    }

    /// Reads a list and calls back exactly once with list and error together.
    ///
    /// The closure runs on the actor on which it was formed.
    @discardableResult
    public func listSnapshot(
        _ query: EntityQuery<Model> = EntityQuery(), policy: ReadPolicy? = nil,
        completion: @escaping @isolated(any) @Sendable (Snapshot<[Model]>) -> Void
    ) -> Cancellation {
        let task = Task { await completion(await listSnapshot(query, policy: policy)) }
        return Cancellation { task.cancel() }
    }
}
