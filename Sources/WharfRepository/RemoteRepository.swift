public import WharfCore

/// Models from one remote source, read by the policies of ``ReadPolicy``.
///
/// What is kept lies in the source's own cache. The repository adds what a cache of bytes can't know: the last value that
/// decoded and mapped, which stays while the repository lives, also when the service answers with something unreadable.
///
/// ```swift
/// let users = RemoteRepository(source: .http(client, at: "users", payload: UserPayload.self) { User($0) })
/// for await snapshot in users.observe(id: 1) { show(snapshot.value, snapshot.error) }
/// ```
///
/// Callers who read the same thing in the same way at the same time share one request.
public final class RemoteRepository<Model: Identifiable & Sendable>: ReadableRepository where Model.ID: Sendable {
    private let models: ReadThrough<Model.ID, Model>
    private let lists: ReadThrough<EntityQuery<Model>, [Model]>
    let pagedLists: PagedLists<Model>
    private let policy: ReadPolicy
    private let clock: any WallClock

    /// - Parameters:
    ///   - policy: what a read does that names none. Observation starts with ``ReadPolicy/cacheThenNetwork`` all the same.
    ///   - remembered: how many last good models are held; beyond it the longest unread go, observed ones excepted.
    ///   - connectivity: with it, reads answer at once while there is no network, and what is observed waits for one.
    ///   - interval: how often what is observed by a policy that asks the network is asked for again, fresh or not; nil for never.
    ///     Not while there is no network, nor while nobody observes.
    ///   - clock: tells fresh from stale.
    ///   - timer: measures the time between two such refreshes.
    ///   - executor: where shared requests run, and what follows news for observers; nil for the global one.
    public init(
        source: RemoteSource<Model>, policy: ReadPolicy = .standard, remembering remembered: Int = 1_000,
        connectivity: (any Connectivity)? = nil, refreshing interval: Duration? = nil,
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(),
        executor: (any TaskExecutor)? = nil
    ) {
        let timer = RefreshTimer(every: interval, on: timer)
        self.policy = policy
        self.clock = clock
        self.models = ReadThrough(
            limit: remembered, clock: clock, executor: executor, connectivity: connectivity, timer: timer
        ) { id, mode, _, _ in
            Answer(await source.get(id, mode))
        }
        self.lists = ReadThrough(
            limit: Self.rememberedLists, clock: clock, executor: executor, connectivity: connectivity, timer: timer
        ) { query, mode, _, _ in
            guard let list = source.list else { return Answer(Snapshot(kept: nil, error: .noList)) }
            return Answer(await list(query, mode))
        }
        self.pagedLists = PagedLists(
            ReadThrough(
                limit: Self.rememberedLists, clock: clock, executor: executor, connectivity: connectivity, timer: timer
            ) { question, mode, _, _ in
                guard let page = source.page else { return Answer(Snapshot(kept: nil, error: .noPages)) }
                return Answer(await page(question, mode))
            })
    }

    public func snapshot(id: Model.ID, policy: ReadPolicy?) async -> Snapshot<Model> {
        await models.read(id, policy ?? self.policy)
    }

    public func observe(id: Model.ID, policy: ReadPolicy?) -> SnapshotSequence<Model> {
        models.observe(id, policy ?? .cacheThenNetwork)
    }

    public func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]> {
        await lists.read(query, policy ?? self.policy)
    }

    public func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]> {
        lists.observe(query, policy ?? .cacheThenNetwork)
    }

    /// Takes a model that somebody handed over, a socket or a notification, and tells its observers.
    ///
    /// - Parameter asOf: when the origin vouched for it; nil for now. What is known already stays when it is newer.
    public func receive(_ model: Model, asOf: WallTime? = nil) async {
        let kept = Snapshot<Model>.Kept(value: model, source: .pushed, asOf: asOf ?? clock.now())
        models.receive(Answer(Snapshot(kept: kept)), for: model.id)
    }

    /// Asks the network again for what is observed and is not fresh, or waits for a network: to be called when the app comes to
    /// the foreground.
    ///
    /// ```swift
    /// .onChange(of: scenePhase) { _, phase in
    ///     if phase == .active { Task { await users.refreshObserved() } }
    /// }
    /// ```
    public func refreshObserved() async {
        await models.refreshStale()
        await lists.refreshStale()
        await pagedLists.refreshStale()
    }

    /// Ends all sequences; reads after it answer with ``WharfCore/ReadFailure/Code/closed``.
    public func close() {
        models.close()
        lists.close()
        pagedLists.close()
    }

    private static var rememberedLists: Int { 20 }
}
