/// Any repository of a model, as one concrete type: for a stored property, or where
/// `any ReadableRepository<Model>` can't stand in because a generic parameter wants a conformer.
public struct AnyReadableRepository<Model: Identifiable & Sendable>: ReadableRepository where Model.ID: Sendable {
    private let base: any ReadableRepository<Model>

    public init(_ base: any ReadableRepository<Model>) {
        self.base = (base as? AnyReadableRepository<Model>)?.base ?? base
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
}
