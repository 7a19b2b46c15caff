import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStorage
import WharfStores

/// A repository with all its dependencies, and the reference model that it is compared with.
final class SequenceStage {
    typealias Model = RepositoryLaws.Model

    private let clock = TestClock()
    private let connectivity = TestConnectivity()
    private let store = MemoryEntityStore()
    private let service = SequenceService()
    private let kind: EntityKind<Model>
    private var repository: Repository<Model>
    private var expected: DictionaryModel
    private var watchers: [Watcher] = []

    private var now: WallTime { clock.wall.now() }

    init(timeToLive: Duration?) {
        kind = EntityKind(
            "model", codec: .text, indexes: [Model.byName.index], timeToLive: timeToLive,
            tags: { [Operation.tag(of: $0.id)] })
        expected = DictionaryModel(timeToLive: timeToLive, now: clock.wall.now())
        repository = Repository(
            kind, in: store, remote: service.source(clock.wall),
            configuration: .init(connectivity: connectivity, clock: clock.wall))
    }

    /// - Returns: the first step whose result differs from the reference model, and the difference,
    ///   or nil if there is none.
    static func difference(_ operations: [Operation], timeToLive: Duration?) async -> String? {
        let stage = SequenceStage(timeToLive: timeToLive)
        defer { stage.leave() }
        for (step, operation) in operations.enumerated() {
            if let difference = await stage.perform(operation) { return "step \(step), \(operation): \(difference)" }
        }
        return await stage.watchersDifference().map { "at the end: \($0)" }
    }

    private func perform(_ operation: Operation) async -> String? {
        // Each step has a time of its own.
        clock.advance(by: .milliseconds(1))
        expected.now = now
        switch operation {
        case .read(let id, let policy): return await read(id, policy)
        case .readList(let page, let policy): return await readList(page, policy)
        case .publish, .withdraw, .fail, .forbidStoring:
            service.perform(operation)
            expected.perform(operation)
        case .advance(let seconds):
            clock.advance(by: .seconds(seconds))
            expected.now = now
        case .anotherCommits, .anotherRemoves, .anotherGarbles: return await write(operation)
        case .receive(let id, let name, let age):
            let asOf = now - .seconds(age)
            await repository.receive(Model(id: id, name: name), asOf: asOf)
            expected.receive(id, name, asOf: asOf)
        case .invalidate(let target):
            do { try await invalidate(target) } catch { return "the store failed: \(error)" }
            expected.invalidate(target)
        case .turn(let isOnline):
            connectivity.turn(online: isOnline)
            expected.isOnline = isOnline
        case .watch(let id): watchers.append(await Watcher(repository, id))
        case .restart:
            if let difference = await watchersDifference() { return difference }
            leave()
            repository = Repository(
                kind, in: store, remote: service.source(clock.wall),
                configuration: .init(connectivity: connectivity, clock: clock.wall))
            expected.restart()
        }
        return nil
    }

    // MARK: Reads

    private func read(_ id: Int, _ policy: ReadPolicy) async -> String? {
        let before = service.requests
        let snapshot = await repository.snapshot(id: id, policy: policy)
        return difference(snapshot.map { [$0] }, before, expected.read(id, policy))
    }

    private func readList(_ page: Operation.Page, _ policy: ReadPolicy) async -> String? {
        let before = service.requests
        let snapshot = await repository.listSnapshot(page.query, policy: policy)
        return difference(snapshot, before, expected.read(page, policy))
    }

    private func difference(
        _ snapshot: Snapshot<[Model]>, _ before: Int, _ expected: DictionaryModel.Expected
    ) -> String? {
        let kept = snapshot.kept
        let found = DictionaryModel.Expected(
            models: kept?.value.map { "\($0.id):\($0.name)" }, asOf: kept?.asOf, isFresh: kept?.isFresh(at: now),
            isFromNetwork: kept.map { $0.source == .network }, error: snapshot.error?.code,
            requests: service.requests - before)
        return found == expected ? nil : "expected \(expected), found \(found)"
    }

    // MARK: Others who write

    private func write(_ operation: Operation) async -> String? {
        do {
            switch operation {
            case .anotherCommits(let id, let name, let age, let lifetime):
                // The repository compares a value in memory with the store only when it is read.
                // Without this read the outcome would depend on earlier rows of the store.
                if let difference = await read(id, .cacheOnly) { return difference }
                let isHeld = expected.isInMemoryAlone(id)
                let asOf = isHeld ? now : now - .seconds(age)
                let staleAt = lifetime.map { asOf + .seconds($0) }
                let row = try kind.row(Model(id: id, name: name), of: nil, asOf: asOf, staleAt: staleAt)
                try await store.commit([.put(row)])
                expected.anotherCommits(id, name, asOf: asOf, staleAt: staleAt)
            case .anotherRemoves(let id):
                if let difference = await read(id, .cacheOnly) { return difference }
                try await store.commit([.remove(kind.key(id, of: nil))])
                expected.anotherRemoves(id)
            case .anotherGarbles(let id):
                if let difference = await read(id, .cacheOnly) { return difference }
                try await store.commit([.put(EntityRow(key: kind.key(id, of: nil), schema: 7, bytes: [], asOf: now))])
                expected.anotherRemoves(id)
            default: break
            }
        } catch {
            return "the store failed: \(error)"
        }
        return nil
    }

    private func invalidate(_ target: Operation.Target) async throws {
        switch target {
        case .id(let id): try await repository.invalidate(id: id)
        case .name(let name): try await repository.invalidate(where: Model.byName == name)
        case .tag(let tag): try await repository.invalidate(tag: tag)
        case .lists: try await repository.invalidateLists()
        case .all: try await repository.invalidateAll()
        }
    }

    // MARK: Observers

    private func watchersDifference() async -> String? {
        for watcher in watchers where !expected.unauthorized.contains(watcher.id) {
            let value = expected.known(watcher.id)?.value
            guard await watcher.comes(to: value) else {
                return "who observes \(watcher.id) was last told \(watcher.last), expected \(value ?? "nothing")"
            }
        }
        return nil
    }

    private func leave() {
        for watcher in watchers { watcher.leave() }
        watchers = []
        repository.close()
    }
}

/// An observer of one model with the policy `cacheOnly`, so that it sends no requests.
private final class Watcher {
    let id: Int
    private let reported = LastValue()
    private let task: Task<Void, Never>

    /// Returns after the first snapshot.
    init(_ repository: Repository<RepositoryLaws.Model>, _ id: Int) async {
        self.id = id
        let first = Gate()
        task = Task { [reported] in
            for await snapshot in repository.observe(id: id, policy: .cacheOnly) {
                reported.value.withLock { $0 = snapshot.value?.name }
                first.open()
            }
        }
        await first.pass()
    }

    var last: String { reported.value.withLock { $0 } ?? "nothing" }

    /// Whether the observer receives the value in the end, however long it takes.
    func comes(to value: String?) async -> Bool { await comesTrue { reported.value.withLock({ $0 }) == value } }

    func leave() { task.cancel() }

    private final class LastValue: Sendable {
        let value = Mutex<String?>(nil)
    }
}
