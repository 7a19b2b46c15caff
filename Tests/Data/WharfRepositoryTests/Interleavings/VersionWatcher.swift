import Synchronization
import WharfCore
import WharfCoreLaws
import WharfFakes

/// An observer of the one model or its list. It checks that the numbers grow and that the last one
/// arrives.
final class VersionWatcher: Sendable {
    typealias Model = RepositoryLaws.Model

    private let name: String
    private let isOfList: Bool
    private let repository: any ReadableRepository<Model>
    private let policy: ReadPolicy
    private let origin: VersionedOrigin
    private let seen: Seen
    private let task: Task<Void, Never>

    private final class Seen: Sendable {
        let versions = Mutex<[Int]>([])

        func take(_ model: Model?, _ name: String, _ origin: VersionedOrigin) {
            guard let model else { return }
            let versions = versions.withLock { versions in
                versions.append(VersionedOrigin.version(model))
                return versions
            }
            if versions.dropLast().contains(where: { $0 > versions[versions.count - 1] }) {
                origin.report("\(name) went backwards: \(versions)")
            }
        }
    }

    init(
        _ repository: any ReadableRepository<Model>, _ policy: ReadPolicy, ofList isOfList: Bool,
        _ origin: VersionedOrigin, _ scheduler: SeededScheduler
    ) {
        let name = "an observer of the \(isOfList ? "list" : "model") by \(policy.name)"
        let seen = Seen()
        self.name = name
        self.isOfList = isOfList
        self.repository = repository
        self.policy = policy
        self.origin = origin
        self.seen = seen
        task = Task(executorPreference: scheduler) {
            await origin.pause()
            if isOfList {
                for await snapshot in repository.observeList(EntityQuery(), policy: policy) {
                    seen.take(snapshot.value?.first, name, origin)
                    await origin.pause()
                }
            } else {
                for await snapshot in repository.observe(id: 1, policy: policy) {
                    seen.take(snapshot.value, name, origin)
                    await origin.pause()
                }
            }
        }
    }

    func leave() { task.cancel() }

    func end() async { await task.value }

    /// Checks the last snapshot, once no request is open. The last snapshot of a `networkOnly`
    /// observer may be a failure.
    func checkLast() async {
        let known =
            isOfList
            ? await repository.listSnapshot(EntityQuery(), policy: .cacheOnly).value?.first
            : await repository.snapshot(id: 1, policy: .cacheOnly).value
        guard let known = known.map(VersionedOrigin.version), policy != .networkOnly, !task.isCancelled else { return }
        let seen = seen.versions.withLock { $0 }
        if seen.last != known { origin.report("\(name) was told \(seen), and \(known) is known") }
    }
}
