import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfRepository
import WharfStorage
import WharfStores

/// Two processes over one file, a service and another client, interleaved by a seed.
///
/// Both processes run the real repository and outbox. The scheduler, file, network and clocks are
/// simulated. These are the checked laws of the store's order:
///
/// - No observer sees the version of the store decrease.
/// - With merged edits no observer sees a count decrease. Without edits no observer sees a revision
///   decrease.
/// - With merged edits a read has the earlier acknowledged edits of its process, even after a kill.
/// - No change overwrites another one.
/// - In the end each acknowledged edit has arrived once. Without merging, exactly as many have not
///   arrived as there are dead letters.
/// - In the end every observer of every process shows the row of the store, even before the service
///   is asked once more.
struct TwoProcessSimulation: Sendable {
    struct Options: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The percentage of requests, and of answers, that are lost.
        var faults = 0
        /// The number of kills of each process.
        var kills = 0
        var mayLeave = false
        var coalesces = false
        /// Whether the service repeats its answer to an idempotency key that it has seen.
        var remembersKeys = false
        var mode = WriteMode.optimistic
        /// Whether the processes add sheets, to which the service assigns ids, and edit them.
        var adds = false
        /// Whether the processes edit the sheet. If not, the other client sometimes removes it and
        /// puts it back.
        var edits = true
        /// Whether an edit in conflict is merged. If not, it is set aside.
        var merges = true

        var kind: EntityKind<Sheet> {
            let kind = merges ? Sheet.kind : Sheet.unmergedKind
            return coalesces ? kind.coalescingEdits() : kind
        }
    }

    private let options: Options
    private let context: SimulationContext
    private let service: SimulatedService
    private let file: MemoryWriteStore
    private let processes = Processes()

    private final class Processes: Sendable {
        let all = Mutex<[SimulatedProcess]>([])
        let isOver = Mutex(false)
    }

    /// Runs the processes to their ends.
    ///
    /// Runs of a seed are equal if sets and dictionaries have the same order, as they have with
    /// `SWIFT_DETERMINISTIC_HASHING=1`.
    ///
    /// - Returns: the violations, and the events if they are traced.
    static func run(_ options: Options, seed: UInt64, isTraced: Bool = false) -> SimulationContext {
        let scheduler = SeededScheduler(seed: seed)
        let context = SimulationContext(scheduler, seed: seed, isTraced: isTraced)
        let simulation = TwoProcessSimulation(options, context)
        // Each run returns when no job is left: every task then waits for a notification or a
        // deadline.
        do throws(SeededScheduler.Stalled) {
            try scheduler.run { _ in await simulation.play() }
            simulation.service.recover()
            var rounds = 0
            while try !scheduler.run({ _ in await simulation.pass() }), rounds < 100 { rounds += 1 }
            try scheduler.run { _ in _ = await simulation.checkLast() }
            try scheduler.run { _ in await simulation.refresh() }
            try scheduler.run { _ in await simulation.end() }
        } catch {
            context.report("\(error)")
        }
        return context
    }

    private init(_ options: Options, _ context: SimulationContext) {
        self.options = options
        self.context = context
        service = SimulatedService(context, faults: options.faults, remembersKeys: options.remembersKeys)
        file = MemoryWriteStore(uptime: context.clock.uptime)
    }

    private var alive: [SimulatedProcess] { processes.all.withLock { $0.filter(\.isAlive) } }

    private func play() async {
        await store(Sheet(id: 1))
        await withTaskGroup { group in
            group.addTask { await passTime() }
            await withTaskGroup { group in
                for number in 0..<2 { group.addTask { await live(number) } }
                group.addTask {
                    for _ in 0..<3 {
                        await context.pause(0..<60)
                        if options.edits || context.happens(60) { service.publish() } else { service.remove() }
                    }
                }
            }
            processes.isOver.withLock { $0 = true }
        }
    }

    private func passTime() async {
        while !processes.isOver.withLock({ $0 }) {
            await context.pause(0..<12)
            context.clock.advance(by: .milliseconds(context.random(0..<2_000)))
        }
    }

    /// Puts the sheet into the file before the processes start.
    private func store(_ sheet: Sheet) async {
        do {
            let row = try Sheet.kind.row(
                sheet, of: nil, asOf: context.clock.wall.now(), validator: SimulatedService.tag(sheet))
            try await file.commit([.put(row)])
        } catch {
            context.report("the file could not be made: \(error)")
        }
    }

    private func live(_ number: Int) async {
        for life in 0...options.kills {
            let process = SimulatedProcess(number, service, file, options, context)
            processes.all.withLock { $0.append(process) }
            await withTaskGroup { group in
                group.addTask {
                    for _ in 0..<3 where process.isAlive && options.edits {
                        await context.pause(0..<30)
                        if options.adds, context.happens(60) {
                            await process.addOrEdit()
                        } else {
                            await process.edit(1, options.mode)
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<4 where process.isAlive {
                        await context.pause(0..<20)
                        await process.read(mayLeave: options.mayLeave)
                    }
                }
                if life < options.kills {
                    group.addTask {
                        await context.pause(0..<100)
                        process.kill()
                    }
                }
            }
        }
    }

    /// Advances the clock past the leases of dead processes and each backoff.
    ///
    /// - Returns: whether every change has arrived.
    private func pass() async -> Bool {
        do {
            if try await file.counts(of: nil).pending.isEmpty { return true }
        } catch {
            context.report("the journal failed: \(error)")
        }
        context.clock.advance(by: .seconds(61))
        return false
    }

    /// Makes every process ask the service once more.
    private func refresh() async {
        do {
            let counts = try await file.counts(of: nil)
            if !counts.pending.isEmpty { context.report("changes never arrived: \(counts.pending)") }
            if options.merges, !counts.dead.isEmpty { context.report("changes were set aside: \(counts.dead)") }
        } catch {
            context.report("the journal failed: \(error)")
        }
        for process in alive { _ = await process.sheets.snapshot(id: 1, policy: .networkOnly) }
    }

    /// Checks that observers and memory show the row of the store.
    @discardableResult
    private func checkLast() async -> Sheet? {
        do {
            let row = try await file.row(Sheet.kind.key(1, of: nil))
            let stored = try row.map(Sheet.kind.model)
            for process in alive { await process.checkLast(stored, row?.asOf) }
            return stored
        } catch {
            context.report("the file could not be read: \(error)")
            return nil
        }
    }

    private func end() async {
        let (stored, served) = (await checkLast(), service.sheet())
        if stored != served {
            context.report("the store has \(stored.text), the service has \(served.text)")
        }
        if options.merges { checkArrivals() } else { await checkUnmerged() }
        for process in alive { await process.close() }
        for process in processes.all.withLock({ $0 }) { await process.end() }
        file.close()
    }

    /// Checks that each acknowledged change has arrived once.
    private func checkArrivals() {
        for number in 0..<2 {
            if let sheet = service.sheet() { check(sheet, of: 1, number) }
            for id in context.additions[number] {
                if let sheet = service.added(id) {
                    check(sheet, of: id, number)
                } else {
                    context.report("sheet \(id), whose addition was acknowledged, did not arrive")
                }
            }
        }
    }

    /// Checks that the acknowledged edits have arrived, minus one per dead letter.
    private func checkUnmerged() async {
        do {
            let dead = try await file.counts(of: nil).dead.values.reduce(0, +)
            let edits = (0..<2).map { context.edits(of: 1, by: $0) }
            let acknowledged = edits.reduce(-dead) { $0 + $1.acknowledged }
            let counted = service.sheet().map { $0.counts.reduce(0, +) } ?? 0
            if counted < acknowledged || counted > edits.reduce(acknowledged, { $0 + $1.unknown }) {
                context.report("of \(edits) \(dead) are set aside, and \(counted) arrived")
            }
        } catch {
            context.report("the journal failed: \(error)")
        }
    }

    private func check(_ sheet: Sheet, of id: Int, _ number: Int) {
        let (edits, count) = (context.edits(of: id, by: number), sheet.counts[number])
        if count < edits.acknowledged || count > edits.acknowledged + edits.unknown {
            context.report("of sheet \(id) process \(number) has made \(edits), and \(count) arrived")
        }
    }
}
