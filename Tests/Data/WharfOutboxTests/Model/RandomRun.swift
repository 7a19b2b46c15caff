import Synchronization
import WharfCore
import WharfFakes
import WharfOutbox
import WharfRandom
import WharfStorage
import WharfStores

/// Two engines over one journal, driven by a sequence of steps.
final class RandomRun: Sendable {
    private struct Engine {
        let outbox: OutboxEngine
        let store: CheckedStore
    }

    private struct ShiftedWall: WallClock {
        let clock: TestClock
        let shift: Shift
        func now() -> WallTime { clock.wall.now() + .seconds(shift.seconds.withLock { $0 }) }
    }

    private final class Shift: Sendable {
        let seconds = Mutex(0)
    }

    private let checker: GuaranteeChecker
    private let scheduler: SeededScheduler
    private let clock = TestClock(start: .start)
    private let shift = Shift()
    private let connectivity = TestConnectivity()
    private let engines = Mutex<[Engine]>([])
    private let count = Mutex(0)
    private var wall: ShiftedWall { ShiftedWall(clock: clock, shift: shift) }

    /// - Returns: the violated promises.
    static func violations(_ steps: [Step], seed: UInt64) throws -> [String] {
        let scheduler = SeededScheduler(seed: seed)
        let run = RandomRun(scheduler, seed: seed)
        return try scheduler.run(limit: 10_000_000) { _ in
            for step in steps { await run.take(step) }
            await run.arrive()
            return run.checker.violations
        }
    }

    private init(_ scheduler: SeededScheduler, seed: UInt64) {
        self.scheduler = scheduler
        checker = GuaranteeChecker(seed: seed, uptime: clock.uptime)
        engines.withLock { $0 = [begin(), begin()] }
    }

    private func begin() -> Engine {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let store = CheckedStore(checker, engine: number)
        let destinations = ["api", "mail"].enumerated().map { index, name in
            VaryingDestination(
                name: name, number: index, engine: number, checker: checker, store: store, uptime: clock.uptime)
        }
        var configuration = OutboxEngine.Configuration(
            connectivity: number.isMultiple(of: 2) ? connectivity : nil, clock: wall, uptime: clock.uptime,
            timer: clock, random: SeededGenerator(seed: UInt64(number)), executor: scheduler)
        configuration.retry = OutboxRetry(attempts: 4, base: .seconds(2), cap: .seconds(30))
        configuration.width = 2
        configuration.lease = .seconds(60)
        let outbox = OutboxEngine(store: store, destinations: destinations, configuration: configuration)
        outbox.start()
        return Engine(outbox: outbox, store: store)
    }

    private func engine(_ index: Int) -> Engine { engines.withLock { $0[index] } }

    private func run(_ turns: Int) async { for _ in 0..<turns { await Task.yield() } }

    private func take(_ step: Step) async {
        do {
            try await attempt(step)
        } catch {
            checker.report("\(step) failed: \(error)")
        }
    }

    private func attempt(_ step: Step) async throws {
        let outbox = engine(checker.random(0..<2)).outbox
        switch step {
        case .enqueue(let lane, let route, let deliveryClass):
            try await outbox.enqueue(entry(lane, route, deliveryClass, outbox))
        case .enqueueDependent(let lane):
            guard let made = checker.enqueued.last(where: { $0.payload == Array("made".utf8) }) else { return }
            var entry = OutboxEntry(
                id: outbox.newID(), lane: "\(lane)", kind: .init("note"), payload: Array("<\(made.id)>".utf8),
                targets: .all("api"), enqueuedAt: wall.now())
            entry.dependencies = [made.id]
            try await outbox.enqueue(entry)
        case .condition(let destination, let condition): checker.set(condition, of: destination)
        case .pass(let seconds): await pass(seconds)
        case .setClock(let seconds): shift.seconds.withLock { $0 += seconds }
        case .crash(let index): await crash(index)
        case .closeAndReopen(let index):
            let old = engine(index)
            let closing = Task(executorPreference: scheduler) { await old.outbox.close() }
            await closing.value
            engines.withLock { $0[index] = begin() }
        case .signIn: outbox.credentialChanged()
        case .turn(let isOnline): connectivity.turn(online: isOnline)
        case .retryDead: try await outbox.retry(try await outbox.deadLetters().prefix(1).map(\.id))
        case .discardDead: try await outbox.discard(try await outbox.deadLetters().prefix(1).map(\.id))
        case .editDead:
            guard let letter = try await outbox.deadLetters().first else { return }
            try await outbox.edit(letter, payload: Array("edited".utf8))
        case .yield(let turns): await run(turns)
        }
    }

    private func entry(
        _ lane: Int, _ route: Step.Route, _ deliveryClass: Step.Class, _ outbox: OutboxEngine
    ) -> OutboxEntry {
        let targets: [OutboxEntry.Target] =
            switch route {
            case .one, .made: .all("api")
            case .both: .all("api", "mail")
            case .fallback: .first(of: "mail", "api")
            case .escalation: [.init("mail"), .init("api", .unlessDelivered(by: "mail", within: .seconds(20)))]
            }
        let kept: DeliveryClass =
            switch deliveryClass {
            case _ where route == .made: .durable
            case .durable: .durable
            case .bounded: .bounded(3)
            case .expiring: .expiring(after: .seconds(90), latestWins: false)
            case .latest: .expiring(after: .seconds(90), latestWins: true)
            }
        let id = outbox.newID()
        var entry = OutboxEntry(
            id: id, lane: "\(lane)", kind: .init("note"), payload: Array((route == .made ? "made" : id.text).utf8),
            targets: targets, enqueuedAt: wall.now())
        entry.deliveryClass = kept
        return entry
    }

    /// Advances the clock in steps, so that leases can be extended between them.
    private func pass(_ seconds: Int) async {
        for _ in 0..<seconds / 10 {
            clock.advance(by: .seconds(10))
            await run(40)
        }
        clock.advance(by: .seconds(seconds % 10))
    }

    private func crash(_ index: Int) async {
        let old = engine(index)
        old.store.die()
        engines.withLock { $0[index] = begin() }
        // Closing only ends the tasks.
        Task(executorPreference: scheduler) { await old.outbox.close() }
    }

    /// Repairs everything, and checks that every entry arrives.
    private func arrive() async {
        for destination in 0..<2 { checker.set(.well, of: destination) }
        connectivity.turn(online: true)
        // Sets the wall clock back. Entries must not wait for times of the old clock.
        shift.seconds.withLock { $0 -= 100_000 }
        do {
            for _ in 0..<60 {
                engine(0).outbox.credentialChanged()
                let letters = try await checker.journal.deadLetters(of: nil, after: nil, limit: 1_000)
                try await engine(0).outbox.retry(letters.map(\.id))
                await pass(30)
                await run(100)
                let left = try await checker.journal.records(of: nil, after: nil, limit: 1_000)
                if left.isEmpty { break }
            }
            for record in try await checker.journal.records(of: nil, after: nil, limit: 1_000) {
                checker.report("\(record.entry.id) never arrived: \(record.states)")
            }
        } catch {
            checker.report("the journal failed: \(error)")
        }
        for entry in checker.enqueued {
            for target in entry.targets where target.condition == .always {
                let id = DeliveryID(entry.id, to: target.destination)
                if !checker.isDone(id) { checker.report("\(entry.id) is lost to \(target.destination)") }
            }
        }
        for engine in engines.withLock({ $0 }) { await engine.outbox.close() }
    }
}
