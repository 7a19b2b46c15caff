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
    private struct WholeList: Hashable, Sendable {}

    private let models: ReadThrough<Model.ID, Model>
    private let lists: ReadThrough<WholeList, [Model]>
    private let policy: ReadPolicy

    /// - Parameters:
    ///   - policy: what a read does that names none. Observation starts with ``ReadPolicy/cacheThenNetwork`` all the same.
    ///   - remembered: how many last good models are held; beyond it the longest unread go, observed ones excepted.
    ///   - clock: tells fresh from stale.
    ///   - executor: where shared requests run; nil for the global one.
    public init(
        source: RemoteSource<Model>, policy: ReadPolicy = .standard, remembering remembered: Int = 1_000,
        clock: any WallClock = .system, executor: (any TaskExecutor)? = nil
    ) {
        self.policy = policy
        self.models = ReadThrough(limit: remembered, clock: clock, executor: executor, fetch: source.get)
        self.lists = ReadThrough(limit: 1, clock: clock, executor: executor) { _, mode in
            guard let list = source.list else {
                return Snapshot(
                    kept: nil,
                    error: ReadFailure(
                        .unsupported,
                        message: "expected a source that can list, but this one was made without `list`; give it one"
                    )
                )
            }
            return await list(mode)
        }
    }

    public func snapshot(id: Model.ID, policy: ReadPolicy?) async -> Snapshot<Model> {
        await models.read(id, policy ?? self.policy)
    }

    public func observe(id: Model.ID, policy: ReadPolicy?) -> SnapshotSequence<Model> {
        models.observe(id, policy ?? .cacheThenNetwork)
    }

    public func listSnapshot(policy: ReadPolicy?) async -> Snapshot<[Model]> {
        await lists.read(WholeList(), policy ?? self.policy)
    }

    public func observeList(policy: ReadPolicy?) -> SnapshotSequence<[Model]> {
        lists.observe(WholeList(), policy ?? .cacheThenNetwork)
    }
}
