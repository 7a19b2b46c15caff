import Synchronization
import WharfCore
import WharfFaults
import WharfStorage
import WharfStores

/// Observes the engines' effects on a journal and receivers, and reports violated promises.
final class GuaranteeChecker: Sendable {
    private struct State {
        var random: SeededGenerator
        var conditions = [Step.Condition.well, .well]
        var violations: [String] = []
        /// The entries in the order of their commits.
        var enqueued: [OutboxEntry] = []
        /// The engine that holds each lane's lease, and the lease's end.
        var leases: [Lease.Lane: (engine: Int, until: Uptime)] = [:]
        /// The deliveries that are over: delivered, dropped or given up, as committed.
        var done: Set<DeliveryID> = []
        var delivered: Set<DeliveryID> = []
        /// The entries whose bytes may differ at the next attempt.
        var merged: Set<OutboxEntry.ID> = []
        /// The entries that a person has put back.
        var retried: Set<OutboxEntry.ID> = []
        var discarded: Set<OutboxEntry.ID> = []
        var keys: [OutboxEntry.ID: IdempotencyKey] = [:]
        var bytes: [IdempotencyKey: [UInt8]] = [:]
    }

    let journal: MemoryWriteStore
    /// The clock of the journal.
    let uptime: any UptimeClock
    private let state: Mutex<State>

    init(seed: UInt64, uptime: any UptimeClock) {
        self.uptime = uptime
        journal = MemoryWriteStore(uptime: uptime)
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    var violations: [String] { state.withLock { $0.violations } }
    var enqueued: [OutboxEntry] { state.withLock { $0.enqueued } }

    func report(_ violation: String) { state.withLock { $0.violations.append(violation) } }
    func random(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.random) } }
    func pause() async { for _ in 0..<random(0..<6) { await Task.yield() } }
    func set(_ condition: Step.Condition, of destination: Int) {
        state.withLock { $0.conditions[destination] = condition }
    }
    func condition(of destination: Int) -> Step.Condition { state.withLock { $0.conditions[destination] } }
    func isDone(_ id: DeliveryID) -> Bool { state.withLock { $0.done.contains(id) || $0.delivered.contains(id) } }

    // MARK: What engines do to the journal

    func leased(_ leased: LeaseResult, by engine: Int, until: Uptime) {
        state.withLock { state in
            for lane in leased.lanes { state.leases[lane.lease.lane] = (engine, until) }
            state.done.formUnion(leased.expired.map(\.delivery))
        }
    }

    func extended(_ leases: Set<Lease>, until: Uptime) {
        state.withLock { state in for lease in leases { state.leases[lease.lane]?.until = until } }
    }

    func committed(_ commit: Commit, _ committed: CommitResult) {
        state.withLock { state in
            state.enqueued += commit.enqueued
            state.done.formUnion(committed.dropped.map(\.delivery))
            state.done.formUnion(commit.discarded)
            state.discarded.formUnion(commit.discarded.map(\.entry))
            state.retried.formUnion(commit.retried.map(\.entry))
            state.done.formUnion(commit.settled.filter { $0.outcome == .delivered }.map(\.delivery))
            for lease in commit.released { state.leases[lease.lane] = nil }
        }
    }

    // MARK: What engines do to receivers

    func sent(_ entry: OutboxEntry, to destination: String, by engine: Int, at now: Uptime) async {
        let lane = Lease.Lane(name: entry.lane, destination: destination)
        let others = state.withLock { state -> [OutboxEntry] in
            if let lease = state.leases[lane], lease.engine == engine, !lease.until.hasCome(by: now) {
            } else {
                state.violations.append("\(entry.id) was sent to \(destination) by who had no lease")
            }
            if state.done.contains(DeliveryID(entry.id, to: destination)) {
                state.violations.append("\(entry.id) was sent to \(destination) after it was settled")
            }
            if let bytes = state.bytes.updateValue(entry.payload, forKey: entry.key), bytes != entry.payload {
                state.violations.append("\(entry.id) was sent with other bytes under the same key")
            }
            if let key = state.keys.updateValue(entry.key, forKey: entry.id), key != entry.key,
                state.merged.remove(entry.id) == nil
            {
                state.violations.append("\(entry.id) was sent under another key for nothing")
            }
            if entry.payload.contains(UInt8(ascii: "<")),
                state.discarded.isDisjoint(with: entry.dependencies)
            {
                state.violations.append("\(entry.id) was sent without the id that it waited for")
            }
            let before = state.enqueued.prefix { $0.id != entry.id }
            return before.filter { other in
                other.lane == entry.lane && !state.retried.contains(other.id)
                    && other.targets.contains(.init(destination, .always))
            }
        }
        for other in others {
            do {
                switch try await journal.record(of: other.id)?.states[destination] {
                case .waiting, .pending: report("\(entry.id) was sent to \(destination) before \(other.id)")
                default: break
                }
            } catch {
                report("the journal failed: \(error)")
            }
        }
    }

    func answered(_ delivery: Delivery, to entry: OutboxEntry, from destination: String) {
        state.withLock { state in
            switch delivery.verdict {
            case .delivered: state.delivered.insert(DeliveryID(entry.id, to: destination))
            case .conflict: state.merged.insert(entry.id)
            default: break
            }
        }
    }
}
