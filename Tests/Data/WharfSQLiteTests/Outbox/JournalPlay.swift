import Synchronization
import WharfCore
import WharfStorage
import WharfStores

@testable import WharfSQLite

/// Random operations on two journals, and the ids and lanes learned on the way.
struct JournalPlay {
    var samples: JournalSamples
    let memory: MemoryWriteStore
    let sqlite: SQLiteWriteStore
    /// The leased lanes, including released and expired ones.
    private var lanes: [LeasedLane] = []
    private var now = WallTime(secondsSince1970: 1_000)
    private let clock = PlayedUptime()
    private var boots = 0
    private var known: [OutboxEntry.ID] = []

    /// - Parameter remembered: the number of ids and discarded entries that both journals remember.
    init(seed: UInt64, file: SQLiteDataFile, remembering remembered: Int) {
        samples = JournalSamples(seed: seed)
        memory = MemoryWriteStore(remembering: remembered, uptime: clock)
        sqlite = SQLiteWriteStore(file, remembering: remembered, uptime: clock)
    }

    struct Differs: Error { let what: String }

    // MARK: Deeds

    mutating func step() async throws -> String {
        pass()
        switch samples.number(10) {
        case 0...2: return try await commit(samples.commit(now: now, known: &known))
        case 3...5: return try await lease()
        case 6...8: return try await settle()
        default: return try await extend()
        }
    }

    private mutating func pass() {
        switch samples.number(30) {
        case 0: now = now - .seconds(samples.number(2) == 0 ? 20 : 200)
        case 1:
            boots += 1
            let boots = boots
            clock.change { $0 = Uptime(boot: "boot \(boots)", nanoseconds: 0) }
        case 2...20:
            let time = Duration.milliseconds(samples.number(4_000))
            now = now + time
            clock.change { $0 = $0 + time }
        default: break
        }
    }

    private func commit(_ commit: Commit) async throws -> String {
        let mine = await outcome { try await memory.commit(commit) }
        let other = await outcome { try await sqlite.commit(commit) }
        guard mine == other else {
            throw Differs(what: "\(commit): \(mine), \(other)")
        }
        return "\(commit)"
    }

    private mutating func lease() async throws -> String {
        let request = samples.request(now: now)
        let (mine, other) = (try await memory.lease(request), try await sqlite.lease(request))
        guard mine == other else { throw Differs(what: "\(request): \(mine), \(other)") }
        lanes += mine.lanes
        return "\(request)"
    }

    /// Settles deliveries of one lane in order, sometimes under a lease that has ended.
    private mutating func settle() async throws -> String {
        guard !lanes.isEmpty else { return "nothing" }
        let index = samples.number(2) == 0 ? lanes.count - 1 : samples.number(lanes.count)
        let lane = lanes[index]
        if let owed = lane.deliveries.first(where: { !$0.owed.isEmpty }), samples.number(3) > 0 {
            var commit = Commit()
            commit.rewritten = [Rewrite(owed.entry.id, payload: samples.bytes(), owed: owed.owed)]
            return try await self.commit(commit)
        }
        var commit = Commit()
        for delivery in lane.deliveries.prefix(1 + samples.number(3)) {
            commit.settled.append(samples.settlement(of: delivery, under: lane.lease, now: now))
        }
        lanes[index].deliveries.removeFirst(commit.settled.count)
        if let first = commit.settled.first, samples.number(4) == 0 {
            let dependents = try await memory.dependents(of: first.delivery.entry).map(\.id)
            let seen = samples.number(5) == 0 ? Set(dependents.dropLast()) : Set(dependents)
            let ids = ["temporary-\(samples.number(4))": "given-\(samples.number(9))"]
            let owed = samples.number(2) == 0 ? [] : Set(dependents.prefix(1))
            commit.assigned = [IDAssignment(first.delivery.entry, ids: ids, dependents: seen, owed: owed)]
            commit.rewritten = dependents.filter { !owed.contains($0) }.map { Rewrite($0, payload: samples.bytes()) }
        }
        if samples.number(3) == 0 { commit.released = [lane.lease] }
        if samples.number(4) == 0 { commit.enqueued = [samples.entry(now: now, known: &known)] }
        return try await self.commit(commit)
    }

    private mutating func extend() async throws -> String {
        let leases = lanes.suffix(4).map(\.lease)
        let duration = Duration.milliseconds(samples.number(3_000))
        let mine = try await memory.extend(leases, for: duration)
        let other = try await sqlite.extend(leases, for: duration)
        guard mine == other else { throw Differs(what: "extend \(leases): \(mine), \(other)") }
        return "extend"
    }

    private func outcome(_ body: () async throws -> CommitResult) async -> String {
        do {
            return "\(try await body())"
        } catch {
            return "\((error as? StoreError)?.code.name ?? "\(error)")"
        }
    }

    // MARK: Questions

    /// The first difference between the two journals' answers, or nil if there is none.
    mutating func difference() async throws -> String? {
        for id in known.suffix(30) {
            let (mine, other) = (try await memory.record(of: id), try await sqlite.record(of: id))
            if mine != other { return "the record of \(id): \(String(describing: mine)), \(String(describing: other))" }
            let (minors, others) = (try await memory.dependents(of: id), try await sqlite.dependents(of: id))
            if minors != others { return "dependents of \(id): \(minors), \(others)" }
        }
        for account in JournalSamples.accounts {
            let (mine, other) = (try await memory.counts(of: account), try await sqlite.counts(of: account))
            if mine != other { return "counts: \(mine), \(other)" }
            let names = Set((0..<4).map { "temporary-\($0)" })
            let given = try await memory.assignedIDs(for: names, of: account)
            if try await sqlite.assignedIDs(for: names, of: account) != given { return "assigned ids" }
            let after = samples.number(2) == 0 ? nil : known.isEmpty ? nil : known[samples.number(known.count)]
            let limit = samples.number(6)
            let place = samples.number(2) == 0 ? nil : Int64(samples.number(known.count + 2))
            let records = try await memory.records(of: account, after: place, limit: limit)
            let stored = try await sqlite.records(of: account, after: place, limit: limit)
            if records != stored { return "records after \(place.map { "\($0)" } ?? "none"): \(records), \(stored)" }
            let from = after.map { DeliveryID($0, to: JournalSamples.destinations[samples.number(3)]) }
            let dead = try await memory.deadLetters(of: account, after: from, limit: limit)
            let kept = try await sqlite.deadLetters(of: account, after: from, limit: limit)
            if dead != kept { return "dead letters after \(String(describing: from)): \(dead), \(kept)" }
        }
        let request = samples.request(now: now)
        let (mine, other) = (try await memory.nextDue(request), try await sqlite.nextDue(request))
        if mine != other { return "next due by \(request): \(mine), \(other)" }
        return nil
    }
}

/// The clock of both journals, which stands still between two operations.
private final class PlayedUptime: UptimeClock {
    private let time = Mutex(Uptime(boot: "first", nanoseconds: 0))

    func now() -> Uptime { time.withLock { $0 } }
    func change(_ change: @Sendable (inout Uptime) -> Void) { time.withLock { change(&$0) } }
}
