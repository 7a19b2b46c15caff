import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStorage
import WharfStores

/// All tasks that may touch one model at the same time, interleaved in an order chosen by a seed.
struct Interleaving: Sendable {
    typealias Model = RepositoryLaws.Model

    /// The participants of a run.
    struct Cast: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isStored = false
        /// Whether another writer commits to the store or pushes to the repository.
        var othersWrite = false
        /// Whether the model's number grows by edits through the repository.
        var isEdited = false
        var someLeave = false
        var isClosed = false
        /// Whether deadlines may pass before answers arrive, with another repository as a fallback.
        var isHurried = false
        var failures = 0
    }

    let cast: Cast
    let scheduler: SeededScheduler
    let origin: VersionedOrigin
    let store: any EntityStore
    /// Edits run one after the other, and their outcome is compared only with the number at the
    /// service.
    let kind = EntityKind<Model>("model", codec: .text).editingUnread()
    let repository: any ReadableRepository<Model>
    let timer = TestClock()
    let receive: @Sendable (Model, WallTime) async -> Void
    let close: @Sendable () -> Void
    /// The same repository if it has a store, else nil.
    private let stored: Repository<Model>?

    private static let policies: [ReadPolicy] = [
        .standard, .cacheOnly, .cacheFirst, .cacheThenNetwork, .networkFirst, .networkOnly,
    ]

    /// - Returns: the violated invariants, as messages.
    static func violations(_ cast: Cast, seed: UInt64) throws(SeededScheduler.Stalled) -> [String] {
        let scheduler = SeededScheduler(seed: seed)
        let interleaving = Interleaving(cast, scheduler, seed: seed)
        // Returns when nothing is left to run: every task that still waits then waits for a new
        // value.
        let watchers = try scheduler.run { _ in await interleaving.play() }
        try scheduler.run { _ in await interleaving.end(watchers) }
        return interleaving.origin.violations
    }

    private init(_ cast: Cast, _ scheduler: SeededScheduler, seed: UInt64) {
        self.cast = cast
        self.scheduler = scheduler
        origin = VersionedOrigin(seed: seed, failures: cast.failures, mayRepeat: cast.isStored)
        let origin = origin
        store = PausingStore { await origin.pause(0..<3) }
        if cast.isStored {
            let stored = Repository(
                kind, in: store, remote: origin.source, configuration: .init(clock: origin.clock, executor: scheduler))
            repository = cast.isHurried ? stored.hurried(origin.clock, timer, scheduler) : stored
            receive = { await stored.receive($0, asOf: $1) }
            close = { stored.close() }
            self.stored = stored
        } else {
            let remote = Repository(
                source: origin.source, configuration: .init(clock: origin.clock, executor: scheduler))
            repository = cast.isHurried ? remote.hurried(origin.clock, timer, scheduler) : remote
            receive = { await remote.receive($0, asOf: $1) }
            close = { remote.close() }
            stored = nil
        }
    }

    private func play() async -> [VersionWatcher] {
        let watchers = (0..<4).map { number in
            let policy = Self.policies[origin.random(0..<Self.policies.count)]
            return VersionWatcher(repository, policy, ofList: number == 3, origin, scheduler)
        }
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { await read() } }
            group.addTask { await readLists() }
            group.addTask { await publish() }
            if cast.someLeave {
                group.addTask {
                    await origin.pause(0..<20)
                    watchers[0].leave()
                }
            }
            if cast.isHurried {
                group.addTask {
                    for _ in 0..<40 {
                        await origin.pause()
                        timer.advance(by: .seconds(1))
                    }
                }
            }
            if cast.isClosed {
                group.addTask {
                    await origin.pause(0..<40)
                    close()
                }
            }
        }
        // Deadlines that have not passed by now pass here.
        timer.advance(by: .seconds(1_000))
        return watchers
    }

    /// Checks that each observer has the latest value, and ends all observers.
    private func end(_ watchers: [VersionWatcher]) async {
        if !cast.isClosed {
            for watcher in watchers { await watcher.checkLast() }
            await checkMemory()
            close()
        }
        // Each observer has to end. If one does not, the scheduler reports a stall.
        for watcher in watchers { await watcher.end() }
    }

    /// Checks that the value in memory equals the row in the store.
    private func checkMemory() async {
        guard cast.isStored else { return }
        do {
            let row = try await store.row(kind.key(1, of: nil))
            let held = await repository.snapshot(id: 1, policy: .cacheOnly).kept
            let stored = try row.map { try kind.model($0) }
            if held?.value != stored || held?.asOf != row?.asOf {
                origin.report("\(held?.value.name ?? "nothing") in memory, \(stored?.name ?? "nothing") in the store")
            }
        } catch {
            origin.report("the store could not be compared with memory: \(error)")
        }
    }

    // MARK: Who takes part

    /// Reads several times, and sometimes cancels a read.
    private func read() async {
        for _ in 0..<3 {
            await origin.pause()
            let policy = Self.policies[origin.random(0..<Self.policies.count)]
            let reader = Task(executorPreference: scheduler) { await repository.snapshot(id: 1, policy: policy) }
            let gaveUp = cast.someLeave && origin.random(0..<3) == 0
            if gaveUp {
                await origin.pause()
                reader.cancel()
            }
            let snapshot = await reader.value
            check(snapshot, policy, gaveUp: gaveUp)
            if !cast.isEdited, let kept = snapshot.kept,
                kept.asOf != VersionedOrigin.time(VersionedOrigin.version(kept.value))
            {
                origin.report("a read of \(kept.value.name) as of another moment")
            }
        }
    }

    private func readLists() async {
        for _ in 0..<3 {
            await origin.pause()
            let snapshot = await repository.listSnapshot(EntityQuery(), policy: .networkFirst)
            check(snapshot, .networkFirst, gaveUp: false)
        }
    }

    private func check<Value>(_ snapshot: Snapshot<Value>, _ policy: ReadPolicy, gaveUp: Bool) {
        switch snapshot.error?.code {
        case nil where snapshot.kept == nil: origin.report("a read by \(policy) with neither value nor error")
        case .cancelled where !gaveUp: origin.report("a read by \(policy) was cancelled by somebody else")
        case .closed where !cast.isClosed: origin.report("a read by \(policy) was closed by nobody")
        case .timedOut where !cast.isHurried: origin.report("a read by \(policy) was late for nothing")
        case .connectionFailed where cast.failures == 0: origin.report("a read by \(policy) failed by itself")
        default: break
        }
    }

    private func edit(_ stored: Repository<Model>) async {
        let mode: WriteMode = origin.random(0..<2) == 0 ? .optimistic : .confirmed
        do {
            _ = try await stored.edit(VersionedOrigin.model(origin.version + 1), mode)
        } catch  where error.code == .notFound {
            // The edit has no base yet, as no read has finished.
        } catch {
            origin.report("an edit failed: \(error)")
        }
    }

    /// Makes the number grow. A writer may publish it before the service is asked.
    private func publish() async {
        for _ in 0..<6 {
            await origin.pause(0..<8)
            if cast.isEdited, let stored {
                await edit(stored)
                continue
            }
            let version = origin.publish()
            guard cast.othersWrite else { continue }
            let (model, asOf) = (VersionedOrigin.model(version), VersionedOrigin.time(version))
            if cast.isStored, origin.random(0..<2) == 0 {
                do {
                    try await store.commit([.put(try kind.row(model, of: nil, asOf: asOf, staleAt: asOf))])
                } catch {
                    origin.report("the store failed: \(error)")
                }
            } else {
                await receive(model, asOf)
            }
        }
    }
}

extension ReadableRepository<RepositoryLaws.Model> {
    fileprivate func hurried(
        _ clock: any WallClock, _ timer: TestClock, _ scheduler: SeededScheduler
    ) -> any ReadableRepository<RepositoryLaws.Model> {
        let nothing = ScriptedSource<RepositoryLaws.Model>(
            .failure(ReadFailure(.hostNotFound, message: "scripted")), clock: clock)
        return within(.seconds(3), clock: clock, timer: timer, executor: scheduler).orElse(
            Repository(source: nothing.source, configuration: .init(clock: clock, executor: scheduler)),
            named: "nothing",
            executor: scheduler)
    }
}
