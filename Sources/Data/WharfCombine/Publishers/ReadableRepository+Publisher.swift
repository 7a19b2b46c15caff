#if canImport(Combine) || OpenCombine
public import WharfCore

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension ReadableRepository {
    /// Publishes one model and its error, now and with each change in the repository.
    ///
    /// For demand, cancellation and delivery see
    /// ``WharfCore/SnapshotSequence/publisher(isolation:)``.
    ///
    /// - Parameter policy: the policy of the first read; nil for `cacheThenNetwork`.
    public func publisher(
        id: Model.ID, policy: ReadPolicy? = nil, isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<Snapshot<Model>, Never> {
        observe(id: id, policy: policy).publisher()
    }

    /// Publishes the models of a query and their error, now and with each change.
    ///
    /// - Parameter policy: the policy of the first read; nil for `cacheThenNetwork`.
    public func listPublisher(
        _ query: EntityQuery<Model> = EntityQuery(), policy: ReadPolicy? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<Snapshot<[Model]>, Never> {
        observeList(query, policy: policy).publisher()
    }

    /// Publishes one model, and completes with the first failure.
    ///
    /// A stored value comes before the failure.
    ///
    /// For details see ``WharfCore/SnapshotSequence/valuePublisher(isolation:)``.
    ///
    /// - Parameter policy: the policy of the first read; nil for `cacheThenNetwork`.
    public func valuePublisher(
        id: Model.ID, policy: ReadPolicy? = nil, isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<Model, ReadFailure> {
        observe(id: id, policy: policy).valuePublisher()
    }

    /// Publishes the models of a query, and completes with the first failure.
    ///
    /// A stored list comes before the failure.
    ///
    /// - Parameter policy: the policy of the first read; nil for `cacheThenNetwork`.
    public func listValuePublisher(
        _ query: EntityQuery<Model> = EntityQuery(), policy: ReadPolicy? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<[Model], ReadFailure> {
        observeList(query, policy: policy).valuePublisher()
    }
}
#endif
