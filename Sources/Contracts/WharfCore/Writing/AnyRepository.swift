/// A type-erased repository that reads and writes.
///
/// Use it for a stored property, or if a generic parameter needs a conforming type. The type
/// `any ReadWriteRepository<Model>` does not conform.
public struct AnyRepository<Model: Identifiable & Sendable>: ReadWriteRepository where Model.ID: Sendable {
    private let base: any ReadWriteRepository<Model>

    /// Wraps a repository. A repository that is already wrapped is not wrapped again.
    public init(_ base: any ReadWriteRepository<Model>) {
        self.base = (base as? AnyRepository<Model>)?.base ?? base
    }

    public func snapshot(id: Model.ID, policy: ReadPolicy?) async -> Snapshot<Model> {
        await base.snapshot(id: id, policy: policy)
    }

    public func observe(id: Model.ID, policy: ReadPolicy?) -> SnapshotSequence<Model> {
        base.observe(id: id, policy: policy)
    }

    public func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]> {
        await base.listSnapshot(query, policy: policy)
    }

    public func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]> {
        base.observeList(query, policy: policy)
    }

    @discardableResult
    public func add(_ model: Model, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await base.add(model, mode)
    }

    @discardableResult
    public func edit(
        _ changed: Model, basedOn shown: Model, _ mode: WriteMode
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await base.edit(changed, basedOn: shown, mode)
    }

    @discardableResult
    public func edit(
        _ id: Model.ID, _ mode: WriteMode, _ change: @escaping @Sendable (inout Model) -> Void
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await base.edit(id, mode, change)
    }

    @discardableResult
    public func delete(id: Model.ID, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await base.delete(id: id, mode)
    }
}
