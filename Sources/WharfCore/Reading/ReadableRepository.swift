/// Gives models by id and as a list, from wherever they come and however long ago they were kept.
///
/// Conform to it for a repository of your own, live or fake: four requirements, none of which
/// throws, because an error is part of a snapshot. Everything else (`get`, `list`, completions) is
/// built on them.
///
/// ```swift
/// let users: any ReadableRepository<User> = stack.repository(at: "users", payload: UserPayload.self) { User($0) }
/// let user = try await users.get(id: 1)
/// ```
///
/// Every conformer keeps these laws; `WharfCoreLaws` checks them (`RepositoryLaws`):
/// - Each policy does what ``ReadPolicy`` says, by what is kept.
/// - A failed refresh never takes a kept value away; an answer such as 404 is never masked by one.
/// - A sequence starts at once with what is known and survives failures.
/// - A cancelled read ends; it does not end that of another caller who waits for the same.
public protocol ReadableRepository<Model>: Sendable {
    associatedtype Model: Identifiable & Sendable where Model.ID: Sendable

    /// One model.
    /// - Parameter policy: nil for the repository's own default.
    func snapshot(id: Model.ID, policy: ReadPolicy?) async -> Snapshot<Model>

    /// One model, now and whenever this repository learns something newer, until the reader leaves.
    /// - Parameter policy: how it starts; nil for ``ReadPolicy/cacheThenNetwork``.
    func observe(id: Model.ID, policy: ReadPolicy?) -> SnapshotSequence<Model>

    /// The models that a query asks for, in the order of the source.
    func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]>

    /// The models that a query asks for, now and whenever this repository learns something newer,
    /// until the reader leaves.
    func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]>
}

extension ReadableRepository {
    public func snapshot(id: Model.ID) async -> Snapshot<Model> { await snapshot(id: id, policy: nil) }
    public func observe(id: Model.ID) -> SnapshotSequence<Model> { observe(id: id, policy: nil) }

    /// All models.
    public func listSnapshot(policy: ReadPolicy? = nil) async -> Snapshot<[Model]> {
        await listSnapshot(EntityQuery(), policy: policy)
    }

    public func listSnapshot(_ query: EntityQuery<Model>) async -> Snapshot<[Model]> {
        await listSnapshot(query, policy: nil)
    }

    /// All models.
    public func observeList(policy: ReadPolicy? = nil) -> SnapshotSequence<[Model]> {
        observeList(EntityQuery(), policy: policy)
    }

    public func observeList(_ query: EntityQuery<Model>) -> SnapshotSequence<[Model]> {
        observeList(query, policy: nil)
    }

    /// The value, also a kept one when the refresh failed; ``snapshot(id:policy:)`` tells the two
    /// apart.
    public func get(id: Model.ID, policy: ReadPolicy? = nil) async throws(ReadFailure) -> Model {
        try await snapshot(id: id, policy: policy).get()
    }

    /// The list, also a kept one when the refresh failed.
    public func list(
        _ query: EntityQuery<Model> = EntityQuery(), policy: ReadPolicy? = nil
    ) async throws(ReadFailure) -> [Model] {
        try await listSnapshot(query, policy: policy).get()
    }

    /// Calls back exactly once with value and error together, on the actor where the closure was
    /// formed.
    @discardableResult
    public func snapshot(
        id: Model.ID, policy: ReadPolicy? = nil,
        completion: @escaping @isolated(any) @Sendable (Snapshot<Model>) -> Void
    ) -> Cancellation {
        let task = Task { await completion(await snapshot(id: id, policy: policy)) }
        return Cancellation { task.cancel() }
    }

    /// Calls back exactly once with list and error together, on the actor where the closure was
    /// formed.
    @discardableResult
    public func listSnapshot(
        _ query: EntityQuery<Model> = EntityQuery(), policy: ReadPolicy? = nil,
        completion: @escaping @isolated(any) @Sendable (Snapshot<[Model]>) -> Void
    ) -> Cancellation {
        let task = Task { await completion(await listSnapshot(query, policy: policy)) }
        return Cancellation { task.cancel() }
    }
}
