internal import WharfCore
internal import WharfStorage

/// The parts of a repository over a store. Each has one job.
struct StoredParts<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let models: StoredModels<Model>
    /// nil if the store is the only source.
    let remote: RemoteSource<Model>?
    let lists: StoredLists<Model>
    let sync: ModelSync<Model>
    let invalidation: RowInvalidation<Model>
    let eviction: RowEviction<Model>
    /// nil if changes go straight to the service.
    let outbox: (writer: OutboxWriter<Model>, setAside: SetAsideChanges<Model>)?
    /// Sends changes if there is no outbox.
    let writer: DirectWriter<Model>

    var coding: ModelCoding<Model> { models.coding }
    var journal: PendingJournal<Model>? { models.journal }

    init(
        _ coding: ModelCoding<Model>, in store: any EntityStore, remote: RemoteSource<Model>?,
        outbox: (any Outbox)?, _ configuration: RepositoryConfiguration
    ) {
        let (queue, pending) = (WriteQueue(on: configuration.executor), PendingChanges<Model>())
        models = StoredModels(
            coding: coding, store: store, clock: configuration.clock, queue: queue, pending: pending,
            journal: outbox.map { PendingJournal($0, coding, pending, in: store, queue, configuration) })
        self.remote = remote
        sync = ModelSync(models, remote?.changes)
        lists = StoredLists(
            models, remote: remote, StoredQueries(models: models, sync: sync), timer: configuration.timer)
        invalidation = RowInvalidation(models: models)
        let maker = ChangeMaker(models: models)
        writer = DirectWriter(maker)
        self.outbox = models.journal.map { [models] journal in
            (OutboxWriter(maker: maker, journal: journal), SetAsideChanges(models: models, journal: journal))
        }
        eviction = RowEviction(models: models, setAside: self.outbox?.setAside, isLocal: remote == nil)
    }
}
