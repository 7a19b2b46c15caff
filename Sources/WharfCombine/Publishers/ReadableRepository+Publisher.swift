#if canImport(Combine) || OpenCombine
public import WharfCore

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension ReadableRepository {
    /// One model, now and whenever the repository learns something newer: value and error together.
    ///
    /// Demand, cancellation and where it delivers:
    /// ``WharfCore/SnapshotSequence/publisher(isolation:)``.
    ///
    /// - Parameter policy: how it starts; nil for `cacheThenNetwork`.
    public func publisher(
        id: Model.ID, policy: ReadPolicy? = nil, isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<Snapshot<Model>, Never> {
        observe(id: id, policy: policy).publisher()
    }

    /// The models that a query asks for, now and whenever the repository learns something newer:
    /// list and error together.
    ///
    /// - Parameter policy: how it starts; nil for `cacheThenNetwork`.
    public func listPublisher(
        _ query: EntityQuery<Model> = EntityQuery(), policy: ReadPolicy? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<Snapshot<[Model]>, Never> {
        observeList(query, policy: policy).publisher()
    }

    /// One model, then the first failure as the end: the kept value comes before it.
    ///
    /// What exactly: ``WharfCore/SnapshotSequence/valuePublisher(isolation:)``.
    ///
    /// - Parameter policy: how it starts; nil for `cacheThenNetwork`.
    public func valuePublisher(
        id: Model.ID, policy: ReadPolicy? = nil, isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<Model, ReadFailure> {
        observe(id: id, policy: policy).valuePublisher()
    }

    /// The models that a query asks for, then the first failure as the end: the kept list comes
    /// before it.
    ///
    /// - Parameter policy: how it starts; nil for `cacheThenNetwork`.
    public func listValuePublisher(
        _ query: EntityQuery<Model> = EntityQuery(), policy: ReadPolicy? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<[Model], ReadFailure> {
        observeList(query, policy: policy).valuePublisher()
    }
}
#endif
