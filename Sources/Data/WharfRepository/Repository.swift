public import WharfCore
internal import WharfPrimitives
public import WharfStorage

/// A repository of models of one kind, for offline reads and changes.
///
/// Each read asks memory, the store and the source as its ``WharfCore/ReadPolicy`` says. The
/// snapshot tells how old a value is, and why it could not be refreshed.
///
/// ```swift
/// let users = Repository(source: .http(client, at: "users", payload: UserPayload.self) { User($0) })
/// for await snapshot in users.observe(id: 1) { show(snapshot.value, snapshot.kept?.asOf, snapshot.error) }
///
/// let notes = Repository(.notes, in: store, account: ann, remote: .http(client, at: "notes", payload: Note.self) { $0 })
/// try await notes.edit(id) { $0.isDone = true }
/// ```
///
/// The store decides how long a value lasts, and whether the models can be changed:
///
/// | | over a source alone | over a store |
/// |---|---|---|
/// | the last good value lasts | as long as the repository, or in the source's own cache | past the process |
/// | a model in a list and by its id | two values | one value |
/// | commits of an outbox or another process | unseen | told to observers |
/// | changes | ``WharfCore/WriteFailure/Code/unsupported`` | sent, or kept in the outbox |
///
/// Callers that read the same value in the same way at the same time share one request. All
/// observers of a value see the same refresh: that it is under way, and why it failed. An observer
/// that starts within a second of a failure of the service is given that failure and sends no
/// request. The service can prolong this time by `Retry-After`, to a minute at most. It holds for
/// refreshes at an interval too. Reads, invalidations and ``refreshObserved()`` ask at once.
public final class Repository<Model: Identifiable & Sendable>: ReadableRepository where Model.ID: Sendable {
    /// nil if the models come from a source alone, and are in no store.
    let stored: StoredParts<Model>?
    let models: ReadThrough<ModelKey<Model.ID>, Model>
    let lists: ReadThrough<EntityQuery<Model>, [Model]>
    /// The queries that the store answers alone.
    let storedLists: ReadThrough<EntityQuery<Model>, [Model]>
    let pagedLists: PagedLists<Model>
    @usableFromInline let hot: HotCache?
    @usableFromInline let text: @Sendable (Model.ID) -> String
    @usableFromInline let policy: ReadPolicy

    /// Makes a repository over a source, without a store.
    ///
    /// Values are kept by the source's own cache, such as the HTTP cache. The repository holds the
    /// last good model, even if the service sends something unreadable after it.
    ///
    /// - Parameters:
    ///   - source: gives the models.
    ///   - configuration: the policy, the clocks, and the state of the network.
    public init(source: RemoteSource<Model>, configuration: RepositoryConfiguration = RepositoryConfiguration()) {
        stored = nil
        hot = nil
        text = { String(describing: $0) }
        policy = configuration.policy
        let context = ReadContext(
            clock: configuration.clock, executor: configuration.executor, connectivity: configuration.connectivity,
            timer: RefreshTimer(every: configuration.refreshInterval, on: configuration.timer))
        models = ReadThrough(limit: configuration.rememberedModels, context) { key, mode, _, descent, _ in
            guard let id = key.value else { return MarkedAnswer(Snapshot(kept: nil, error: .nothingKept)) }
            return MarkedAnswer(await source.get(id, mode, by: descent))
        }
        lists = ReadThrough(limit: Self.rememberedLists, context) { query, mode, _, descent, _ in
            MarkedAnswer(await source.list(query, mode, by: descent))
        }
        storedLists = ReadThrough(limit: Self.rememberedLists, context) { _, _, _, _, _ in
            MarkedAnswer(Snapshot(kept: nil, error: .noStore))
        }
        pagedLists = PagedLists(
            ReadThrough(limit: Self.rememberedLists, context) { question, mode, _, _, _ in
                guard let page = source.page else { return MarkedAnswer(Snapshot(kept: nil, error: .noPages)) }
                return MarkedAnswer(await page(question, mode))
            })
    }

    /// Makes a repository over a store, which its source brings up to date.
    ///
    /// Without a source, a list is a query over the store.
    ///
    /// - Parameters:
    ///   - kind: how the models lie in the store. All repositories of one store and account agree
    ///     on it.
    ///   - account: owns the models; those of other accounts are never seen.
    ///   - remote: gives the models; nil if the store is the only source.
    ///   - outbox: keeps changes until the service has them. It works over the same store, and the
    ///     repository's ``destination`` is registered with it. nil sends changes straight to the
    ///     service.
    ///   - configuration: the policy, the clocks, and the state of the network.
    public init(
        _ kind: EntityKind<Model>, in store: any EntityStore, account: Account? = nil,
        remote: RemoteSource<Model>? = nil, outbox: (any Outbox)? = nil,
        configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) {
        let (clock, executor) = (configuration.clock, configuration.executor)
        let stored = StoredParts(
            ModelCoding(kind: kind, account: account, report: configuration.onIncident), in: store, remote: remote,
            outbox: outbox, configuration)
        self.stored = stored
        text = kind.text
        policy = configuration.policy
        let changes = store.changes(of: account, kind: kind.name, since: nil)
        // The same feeds as the cache below: the flags that make a hit invalid fall when
        // that cache has caught up.
        let hot = HotCache(changes, stored.models.pending.changes, clock: clock)
        self.hot = hot
        let context = ReadContext(
            // Without a source no request waits for a network, and none is made by a timer.
            clock: clock, executor: executor, connectivity: remote == nil ? nil : configuration.connectivity,
            timer: remote == nil ? nil : RefreshTimer(every: configuration.refreshInterval, on: configuration.timer))
        models = ReadThrough(
            limit: configuration.rememberedModels, context,
            stored.models.coherence(hot, changes, configuration.timer)
        ) { key, mode, found, descent, willCommit in
            guard let id = key.value else { return MarkedAnswer(Snapshot(kept: nil, error: .nothingKept)) }
            return await stored.models.get(id, from: remote, mode, found, descent, willCommit)
        }
        let rows = stored.lists
        lists = ReadThrough(limit: Self.rememberedLists, context, rows.listCoherence(), fetch: rows.list)
        storedLists = ReadThrough(
            limit: Self.rememberedLists,
            ReadContext(clock: clock, executor: executor, connectivity: nil, timer: nil),
            rows.queries.coherence(configuration.timer)
        ) { query, _, _, _, _ in
            await rows.queries.list(query)
        }
        pagedLists = PagedLists(
            ReadThrough(limit: Self.rememberedLists, context, rows.pageCoherence(), fetch: rows.page),
            isLocal: remote == nil)
    }

    // Inlinable, so that a value in memory is handed out by code that is compiled for the model.
    @inlinable public func snapshot(id: Model.ID, policy: ReadPolicy?) async -> Snapshot<Model> {
        if let hot, let box = hot.hit(text(id), policy ?? self.policy) { return Snapshot(in: box) }
        return await read(id, policy ?? self.policy)
    }

    @usableFromInline func read(_ id: Model.ID, _ policy: ReadPolicy) async -> Snapshot<Model> {
        let answer = await models.read(key(id), policy)
        // The model may have another id by now. The journal is asked only if nothing was found.
        return answer.kept == nil ? await followed(id, policy, after: answer) : answer
    }

    public func observe(id: Model.ID, policy: ReadPolicy?) -> SnapshotSequence<Model> {
        let policy = policy ?? .cacheThenNetwork
        if givesNewIDs { return observeFollowing(id, policy) }
        return models.observe(key(id), policy, of: self)
    }

    public func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]> {
        await lists.read(query, policy ?? self.policy)
    }

    public func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]> {
        lists.observe(query, policy ?? .cacheThenNetwork, of: self)
    }

    /// Queries the store without a request to the service.
    ///
    /// Use it to search offline. A list of the service may have more models than the store has
    /// seen.
    ///
    /// ```swift
    /// let query = EntityQuery<Note>().filter(Note.text.hasWords("milk"))
    /// let found = await notes.storedListSnapshot(query)
    /// ```
    ///
    /// - Pending changes are in the answer.
    /// - `asOf` is that of the oldest model, or of the last ``sync()`` if that is later.
    /// - Without a store, and for a parameter that only the service knows, the error is
    ///   ``WharfCore/ReadFailure/Code/unsupported``.
    public func storedListSnapshot(_ query: EntityQuery<Model> = EntityQuery()) async -> Snapshot<[Model]> {
        await storedLists.read(query, .cacheOnly)
    }

    /// Observes a query over the store, as ``storedListSnapshot(_:)`` reads it.
    ///
    /// Each change to the models tells the observers: an answer of the service, a pending change, a
    /// commit of another process.
    public func observeStoredList(_ query: EntityQuery<Model> = EntityQuery()) -> SnapshotSequence<[Model]> {
        storedLists.observe(query, .cacheOnly, of: self)
    }

    /// Takes a model that came without a read, by a socket or a notification.
    ///
    /// Its observers are told, unless a newer model is known.
    ///
    /// - Parameters:
    ///   - model: the model as the origin sent it.
    ///   - asOf: when the origin sent or revalidated it; nil for now.
    public func receive(_ model: Model, asOf: WallTime? = nil) async {
        let asOf = asOf ?? models.clock.now()
        let pushed = Snapshot<Model>.Kept(value: model, source: .pushed, asOf: asOf)
        // Into the store before memory. In the other order an observer could see a model that no
        // restart can read.
        models.receive(
            await stored?.models.keep(pushed, nil) ?? MarkedAnswer(Snapshot(kept: pushed)), for: key(model.id))
    }

    /// Refreshes the observed values that are not fresh, or that wait for a network.
    ///
    /// Call it when the app comes to the foreground:
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

    /// Ends all sequences. Later reads answer with ``WharfCore/ReadFailure/Code/closed``.
    ///
    /// The store stays open.
    public func close() {
        models.close()
        lists.close()
        storedLists.close()
        pagedLists.close()
        stored?.models.pending.known.end()
    }

    package var isClosed: Bool { models.isClosed }

    /// Keeps late answers out of the store; nil without a store.
    ///
    /// It does not hold the repository.
    package var ending: RepositoryShutdown? {
        guard let stored else { return nil }
        // The queue alone is held, and weakly: a stack keeps this value for longer than its
        // repositories.
        return RepositoryShutdown { [weak queue = stored.models.queue] in
            queue?.end()
        } drain: { [weak queue = stored.models.queue] in
            await queue?.drain()
        } isOver: { [weak queue = stored.models.queue] in
            queue == nil
        }
    }

    func key(_ id: Model.ID) -> ModelKey<Model.ID> {
        stored == nil ? .id(id) : .stored(UTF8Key(text(id)), id)
    }

    private static var rememberedLists: Int { 20 }
}
