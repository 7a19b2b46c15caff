/// A type-erased readable repository.
///
/// Use it for a stored property, or if a generic parameter needs a conforming type. The type
/// `any ReadableRepository<Model>` does not conform.
public struct AnyReadableRepository<Model: Identifiable & Sendable>: ReadableRepository where Model.ID: Sendable {
    private let base: any ReadableRepository<Model>

    /// Wraps a repository. A repository that is already wrapped is not wrapped again.
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
