import Synchronization
import WharfChecks
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

/// An outbox with one defect.
final class WrongOutbox: Outbox {
    enum Fault: Sendable {
        case repeatsIDs, sortsIDsBackward
        case losesChanges, losesTargets, losesEntries, reversesCalls
        case takesTheKnown, keepsTheNew, keepsChanges
        case inventsOutcomes, answersAtOnce, neverAnswers, hidesTheDead, remembersTheDelivered
        case reversesLanes, changesPayloads, countsNothing, forgetsTheRest, isAlwaysComplete, isNeverComplete
        case deliversTwice, keepsTheFirst, takesOtherAccounts
    }

    private struct State {
        var ids = 0
        var drains = 0
        var names: Set<String> = []
        var known: Set<OutboxEntry.ID> = []
    }

    let base = OutboxEngine(store: MemoryWriteStore())
    private let fault: Fault
    private let state = Mutex(State())

    init(_ fault: Fault) { self.fault = fault }

    var store: any WriteStore { base.store }
    var account: Account? { base.account }

    func close() async { await base.close() }

    /// Only the law about ids asks for more than a hundred ids.
    func newID() -> OutboxEntry.ID {
        let count = state.withLock { state in
            state.ids += 1
            return state.ids
        }
        switch fault {
        case .repeatsIDs where count > 100: return .init("fffffff-\(count / 2)")
        case .sortsIDsBackward where count > 100: return .init("00000-\(10_000 - count)")
        default: return base.newID()
        }
    }

    @discardableResult
    func enqueue(
        _ entries: [OutboxEntry], changing entities: [EntityChange]
    ) async throws(StoreError) -> CommitResult {
        let isKnown = state.withLock { state in
            defer { state.known.formUnion(entries.map(\.id)) }
            return entries.contains { state.known.contains($0.id) }
        }
        let (entries, entities) = changed(entries, entities, isKnown: isKnown)
        do throws(StoreError) { return try await base.enqueue(entries, changing: entities) } catch {
            if fault == .keepsTheNew { try await base.enqueue([entries[0]], changing: []) }
            if fault == .keepsChanges { try await base.enqueue([], changing: entities) }
            if fault == .takesTheKnown { return CommitResult() }
            throw error
        }
    }

    private func changed(
        _ entries: [OutboxEntry], _ entities: [EntityChange], isKnown: Bool
    ) -> ([OutboxEntry], [EntityChange]) {
        var entries = entries
        let isOfTheLane = entries.count == 12
        switch fault {
        case .losesChanges: return (entries, [])
        case .losesEntries where !entities.isEmpty && !isKnown: return ([], entities)
        case .losesTargets where !entities.isEmpty && !isKnown: entries[1].targets.removeLast()
        case .reversesCalls where entries.count == 3: entries.reverse()
        case .reversesLanes where isOfTheLane: entries.reverse()
        case .changesPayloads where isOfTheLane: entries[0].payload.append(0)
        case .takesOtherAccounts: for index in entries.indices { entries[index].account = account }
        default: break
        }
        return (entries, entities)
    }

    func outcome(of entry: OutboxEntry.ID) async throws(StoreError) -> [String: OutboxRecord.State]? {
        let isKnown = state.withLock { $0.known.contains(entry) }
        if fault == .answersAtOnce { return try await store.record(of: entry)?.states }
        let states = try await base.outcome(of: entry)
        switch fault {
        case .inventsOutcomes where !isKnown: return [:]
        case .neverAnswers where states?.keys.count == 1:
            await Gate().pass()
            return states
        case .hidesTheDead where states?.keys.count == 2: return states?.filter { $0.value == .delivered }
        case .remembersTheDelivered where isKnown && states == nil: return ["api": .delivered]
        default: return states
        }
    }

    func register(_ destination: any Destination) {
        let isNew = state.withLock { $0.names.insert(destination.name).inserted }
        switch fault {
        case .keepsTheFirst where !isNew: break
        case .deliversTwice:
            base.register(Twice(base: destination) { [self] in state.withLock { $0.drains > 1 } })
        default: base.register(destination)
        }
    }

    func drain(within limit: Duration?) async throws(StoreError) -> DrainReport {
        state.withLock { $0.drains += 1 }
        defer { state.withLock { $0.drains -= 1 } }
        if fault == .deliversTwice { await letOthersRun { state.withLock { $0.drains > 1 } } }
        var report = try await base.drain(within: limit)
        switch fault {
        case .countsNothing: report.delivered = 0
        case .forgetsTheRest: report.remaining = OutboxCounts()
        case .isAlwaysComplete: report.isComplete = true
        case .isNeverComplete: report.isComplete = false
        default: break
        }
        return report
    }
}

/// A destination that delivers each entry twice while a condition holds.
private struct Twice: Destination {
    let base: any Destination
    let isWanted: @Sendable () -> Bool

    var name: String { base.name }
    var kinds: Set<String> { base.kinds }

    func deliver(_ entry: OutboxEntry) async -> Delivery {
        if isWanted() { _ = await base.deliver(entry) }
        return await base.deliver(entry)
    }
}
