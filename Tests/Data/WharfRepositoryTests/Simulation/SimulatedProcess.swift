import Synchronization
import WharfCore
import WharfFakes
import WharfOutbox
import WharfRandom
import WharfRepository
import WharfStores

/// One launch of a process: a repository and an outbox over the shared file, and two observers.
final class SimulatedProcess: Sendable {
    /// An observer of the sheet.
    private struct Observer: Sendable {
        let policy: ReadPolicy
        let task: Task<Void, Never>
        let seen: Seen
    }

    private final class Seen: Sendable {
        /// nil before the first value.
        let last = Mutex<Seeing?>(nil)
        /// Whether the last snapshot had no value.
        let isGone = Mutex(false)
    }

    private struct Seeing: CustomStringConvertible {
        let sheet: Sheet
        /// The version in the store, or nil for a value that is in no store.
        let version: StoreVersion?

        init(_ kept: Snapshot<Sheet>.Kept) {
            sheet = kept.value
            version = if case .row(let version, _)? = kept.revision { version } else { nil }
        }

        var description: String { "\(sheet) at \(version.map { "\($0)" } ?? "no version")" }

        func isBefore(_ other: Self, _ options: TwoProcessSimulation.Options) -> Bool {
            if let version, let last = other.version, version < last { return true }
            // The answer to a delivered edit is shown even if a read that was answered later has a
            // higher revision.
            if !options.edits { return sheet.revision < other.sheet.revision }
            // A dead letter is shown no longer.
            return options.merges && zip(sheet.counts, other.sheet.counts).contains { $0 < $1 }
        }
    }

    static let policies: [ReadPolicy] = [
        .standard, .cacheOnly, .cacheFirst, .cacheThenNetwork, .networkFirst, .networkOnly,
    ]

    let number: Int
    private let options: TwoProcessSimulation.Options
    private let context: SimulationContext
    private let store: ProcessStore
    private let outbox: OutboxEngine
    let sheets: Repository<Sheet>
    private let observers = Mutex<[Observer]>([])

    init(
        _ number: Int, _ service: SimulatedService, _ file: MemoryWriteStore,
        _ options: TwoProcessSimulation.Options, _ context: SimulationContext
    ) {
        self.number = number
        self.options = options
        self.context = context
        store = ProcessStore(file, name: "process \(number)", context)
        let clock = context.clock
        outbox = OutboxEngine(
            store: store,
            configuration: .init(
                clock: clock.wall, uptime: clock.uptime, timer: clock,
                random: SeededGenerator(seed: UInt64(context.random(0..<1_000_000))), executor: context.scheduler))
        sheets = Repository(
            options.kind, in: store, remote: service.source { [store] in store.isAlive }, outbox: outbox,
            configuration: .init(clock: clock.wall, timer: clock, executor: context.scheduler))
        if let destination = sheets.destination { outbox.register(destination) }
        outbox.start()
        for _ in 0..<2 { observe(Self.policies[context.random(0..<Self.policies.count)]) }
    }

    var isAlive: Bool { store.isAlive }

    /// Cuts the process off from the file and the service.
    func kill() {
        store.die()
        context.note("process \(number) is killed")
        // Closing only ends the tasks.
        Task(executorPreference: context.scheduler) { [self] in await close() }
    }

    func close() async {
        sheets.close()
        await outbox.close()
    }

    /// Returns when the sequences of the observers have ended.
    func end() async {
        for observer in observers.withLock({ $0 }) { await observer.task.value }
    }

    // MARK: Observing

    private func observe(_ policy: ReadPolicy) {
        let seen = Seen()
        let task = Task(executorPreference: context.scheduler) { [self] in
            await context.pause()
            for await snapshot in sheets.observe(id: 1, policy: policy) {
                if isAlive { check(snapshot.kept.map(Seeing.init), after: seen, policy) }
                await context.pause()
            }
        }
        observers.withLock { $0.append(Observer(policy: policy, task: task, seen: seen)) }
    }

    private func check(_ new: Seeing?, after seen: Seen, _ policy: ReadPolicy) {
        context.note("observer of process \(number) by \(policy.name): \(new.map { "\($0)" } ?? "no sheet")")
        seen.isGone.withLock { $0 = new == nil }
        guard let new else { return }
        let last = seen.last.withLock { last in
            defer { last = new }
            return last
        }
        if let last, new.isBefore(last, options) {
            context.report("an observer of process \(number) by \(policy.name) saw \(last), then \(new)")
        }
    }

    /// Checks that observers and memory show the row of the store.
    func checkLast(_ stored: Sheet?, _ asOf: WallTime?) async {
        let known = await sheets.snapshot(id: 1, policy: .cacheOnly)
        if known.value != stored || known.kept?.asOf != asOf {
            context.report("process \(number) shows \(known.value.text), the store has \(stored.text)")
        }
        // The last snapshot of a `networkOnly` observer may be a failure.
        for observer in observers.withLock({ $0 }) where observer.policy != .networkOnly {
            let seen = observer.seen
            let last = seen.isGone.withLock { $0 } ? nil : seen.last.withLock { $0?.sheet }
            if last != stored {
                context.report(
                    "an observer of process \(number) by \(observer.policy.name) saw \(last.text) last, "
                        + "the store has \(stored.text)")
            }
        }
    }

    // MARK: Using

    /// Reads the sheet, and checks that it has the edits of this process that were acknowledged
    /// before.
    func read(mayLeave: Bool) async {
        let policy = Self.policies[context.random(0..<Self.policies.count)]
        let acknowledged = context.edits(of: 1, by: number).acknowledged
        context.note("process \(number) reads by \(policy.name)")
        let reader = Task(executorPreference: context.scheduler) { [self] in
            await sheets.snapshot(id: 1, policy: policy)
        }
        if mayLeave, context.happens(30) {
            await context.pause()
            reader.cancel()
        }
        let snapshot = await reader.value
        guard isAlive, snapshot.error?.code != .cancelled else { return }
        if options.merges, let sheet = snapshot.value, sheet.counts[number] < acknowledged {
            context.report(
                "process \(number) read \(sheet) by \(policy.name) after \(acknowledged) edits were acknowledged")
        }
        if snapshot.kept == nil, snapshot.error == nil {
            context.report("process \(number) read neither value nor error by \(policy.name)")
        }
    }

    func edit(_ id: Int, _ mode: WriteMode) async {
        do throws(WriteFailure) {
            let receipt = try await sheets.edit(id, mode) { [number] in $0.counts[number] += 1 }
            // A confirmed edit is shown only after its delivery.
            if mode == .confirmed { _ = await receipt.delivery() }
            context.note("edit of sheet \(id) by process \(number) returned")
            // A process that was killed in the meantime did not acknowledge the edit to its caller.
            context.noteEdit(of: id, by: number, isAcknowledged: isAlive)
        } catch {
            if isAlive { context.report("an edit of sheet \(id) by process \(number) failed: \(error.message)") }
            context.noteEdit(of: id, by: number, isAcknowledged: false)
        }
    }

    /// Adds a sheet, or edits one that an earlier or the current launch of this process added, by
    /// its temporary id.
    func addOrEdit() async {
        let known = context.additions[number]
        if !known.isEmpty, context.happens(60) {
            return await edit(known[context.random(0..<known.count)], .optimistic)
        }
        let id = context.newTemporaryID()
        do throws(WriteFailure) {
            _ = try await sheets.add(Sheet(id: id), .optimistic)
            context.note("addition of sheet \(id) by process \(number) returned")
            if isAlive { context.noteAddition(id, by: number) }
        } catch {
            if isAlive { context.report("an addition by process \(number) failed: \(error.message)") }
        }
    }
}
