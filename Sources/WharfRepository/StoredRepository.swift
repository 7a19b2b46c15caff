public import WharfCore
internal import WharfPrimitives

/// Models of one kind with an entity store as the source of truth: what a remote source says goes into the store, and what is read
/// comes from it.
///
/// So the last good value outlives the process, whatever the service sends since. Lists and single reads share their entities: a
/// model that one brings is news for the other. What anybody else commits to the store, an outbox or another process, reaches
/// observers as well.
///
/// ```swift
/// let notes = StoredRepository(.notes, in: store, account: ann, remote: .http(client, at: "notes", payload: Note.self) { $0 })
/// for await snapshot in notes.observe(id: "1") { show(snapshot.value, snapshot.kept?.asOf, snapshot.error) }
/// ```
///
/// Without a remote source it is a repository of what is in the store alone, and a list is a query over it.
public final class StoredRepository<Model: Identifiable & Sendable>: ReadableRepository where Model.ID: Sendable {
    let stored: StoredModels<Model>
    let models: ReadThrough<StoredID<Model.ID>, Model>
    let lists: ReadThrough<EntityQuery<Model>, [Model]>
    let pagedLists: PagedLists<Model>
    @usableFromInline let hot: HotCache
    @usableFromInline let text: @Sendable (Model.ID) -> String
    @usableFromInline let policy: ReadPolicy

    /// - Parameters:
    ///   - kind: how the models lie in the store. No two repositories of one store and account may disagree on it.
    ///   - account: whose models these are; those of others are never seen.
    ///   - remote: where models come from; nil where the store is all there is.
    ///   - policy: what a read does that names none. Observation starts with ``WharfCore/ReadPolicy/cacheThenNetwork`` all the same.
    ///   - outbox: where changes wait for their delivery, over the store that `store` is; nil: they go straight to the service. The
    ///     repository's ``destination`` has to be registered there.
    ///   - remembered: how many models are held in memory, decoded; beyond it the longest unread go, observed ones excepted.
    ///   - connectivity: with it, reads answer at once while there is no network, and what is observed waits for one.
    ///   - interval: how often what is observed by a policy that asks the network is asked for again, fresh or not; nil for never.
    ///     Not while there is no network, nor while nobody observes.
    ///   - clock: tells fresh from stale.
    ///   - timer: measures the time between two such refreshes, and pauses before a store that failed is asked again.
    ///   - executor: where shared requests run, writes, and what follows news for observers; nil for the global one.
    ///   - onIncident: what went wrong and was survived: a row that can't be decoded, a store that could not be written.
    public init(
        _ kind: EntityKind<Model>, in store: any EntityStore, account: Account? = nil,
        remote: RemoteSource<Model>? = nil, outbox: (any Outbox)? = nil, policy: ReadPolicy = .standard,
        remembering remembered: Int = 1_000,
        connectivity: (any Connectivity)? = nil, refreshing interval: Duration? = nil,
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(),
        executor: (any TaskExecutor)? = nil, onIncident: @escaping IncidentHandler = { _ in }
    ) {
        let stored = StoredModels(
            kind: kind, account: account, store: store, remote: remote, clock: clock, timer: timer,
            report: onIncident,
            queue: WriteQueue(on: executor),
            journal: outbox.map(PendingJournal.init))
        self.stored = stored
        self.text = kind.text
        self.policy = policy
        let changes = store.changes(of: account, kind: kind.name)
        let hot = HotCache(changes, stored.pending.changes, clock: clock)
        self.hot = hot
        let network = remote == nil ? nil : connectivity
        let refreshes = remote == nil ? nil : RefreshTimer(every: interval, on: timer)
        self.models = ReadThrough(
            limit: remembered, clock: clock, executor: executor, connectivity: network,
            timer: refreshes, coherence: stored.coherence(hot, changes)
        ) { id, mode, found, willCommit in
            guard let id = id.value else { return Answer(Snapshot(kept: nil, error: .nothingKept)) }
            return await stored.get(id, mode, found, willCommit)
        }
        self.lists = ReadThrough(
            limit: Self.rememberedLists, clock: clock, executor: executor, connectivity: network,
            timer: refreshes, coherence: stored.listCoherence(), fetch: stored.list)
        self.pagedLists = PagedLists(
            ReadThrough(
                limit: Self.rememberedLists, clock: clock, executor: executor, connectivity: network,
                timer: refreshes, coherence: stored.pageCoherence(), fetch: stored.page),
            isLocal: remote == nil)
    }

    // Inlinable, so that what is in memory is handed out by code that is compiled for the model.
    @inlinable public func snapshot(id: Model.ID, policy: ReadPolicy?) async -> Snapshot<Model> {
        if let box = hot.hit(text(id), policy ?? self.policy) { return Snapshot(in: box) }
        return await read(id, policy ?? self.policy)
    }

    @usableFromInline func read(_ id: Model.ID, _ policy: ReadPolicy) async -> Snapshot<Model> {
        await models.read(stored.id(id), policy)
    }

    public func observe(id: Model.ID, policy: ReadPolicy?) -> SnapshotSequence<Model> {
        models.observe(stored.id(id), policy ?? .cacheThenNetwork)
    }

    public func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]> {
        await lists.read(query, policy ?? self.policy)
    }

    public func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]> {
        lists.observe(query, policy ?? .cacheThenNetwork)
    }

    /// Takes a model that somebody handed over, a socket or a notification, and tells its observers.
    ///
    /// - Parameter asOf: when the origin vouched for it; nil for now. What is in the store already stays when it is newer.
    public func receive(_ model: Model, asOf: WallTime? = nil) async {
        models.receive(await stored.receive(model, asOf: asOf ?? stored.clock.now()), for: stored.id(model.id))
    }

    /// Asks the network again for what is observed and is not fresh, or waits for a network: to be called when the app comes to
    /// the foreground.
    ///
    /// ```swift
    /// .onChange(of: scenePhase) { _, phase in
    ///     if phase == .active { Task { await notes.refreshObserved() } }
    /// }
    /// ```
    public func refreshObserved() async {
        await models.refreshStale()
        await lists.refreshStale()
        await pagedLists.refreshStale()
    }

    /// Ends all sequences; reads after it answer with ``WharfCore/ReadFailure/Code/closed``. The store stays open.
    public func close() {
        models.close()
        lists.close()
        pagedLists.close()
        stored.pending.known.end()
    }

    /// How all that comes late is kept out of the store; it holds on to nothing. Who is reading holds what has to be waited for.
    package var ending: RepositoryEnding {
        RepositoryEnding { [weak queue = stored.queue] in
            queue?.end()
        } drain: { [weak queue = stored.queue] in
            await queue?.drain()
        }
    }

    private static var rememberedLists: Int { 20 }
}
