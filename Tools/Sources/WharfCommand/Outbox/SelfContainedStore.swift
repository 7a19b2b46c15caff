import Synchronization
import Wharf

/// A journal of which only those entries are handed out that need nothing of the app.
///
/// That is: requests that say where they go, that no others wait for, and that lack no ids. Nobody reads ids in an answer here,
/// and what waits for them would be sent with temporary ones.
///
/// A lane in front of which another stands is leased all the same, and held for a moment or until ``release()``: so it is not handed
/// out again and again, and nothing of it is attempted or changed. Where the process is killed, the app has it after the moment.
final class SelfContainedStore: WriteStore {
    private let base: any WriteStore
    private let held = Mutex<[Lease.Lane: Lease]>([:])
    private let lacking = Mutex<Set<DeliveryID>>([])
    /// What counted when it was handed out.
    private let attempts = Mutex<[DeliveryID: Int]>([:])

    static let moment = Duration.seconds(5)

    init(_ base: any WriteStore) { self.base = base }

    /// Those that were held back because they lack ids.
    var lackingIDs: Set<DeliveryID> { lacking.withLock(\.self) }

    /// Gives back what was held.
    func release() async throws(StoreError) {
        let leases = held.withLock { held in
            defer { held = [:] }
            return Array(held.values)
        }
        guard !leases.isEmpty else { return }
        var commit = Commit()
        commit.released = leases
        try await base.commit(commit)
    }

    func lease(_ request: LeaseRequest) async throws(StoreError) -> Leased {
        var all = Leased()
        while all.lanes.count < request.lanes {
            var rest = request
            rest.lanes = request.lanes - all.lanes.count
            rest.duration = min(request.duration, Self.moment)
            let leased = try await base.lease(rest)
            all.expired += leased.expired
            do throws(StoreError) {
                for lane in leased.lanes {
                    var lane = lane
                    lane.deliveries = try await front(lane.deliveries)
                    if lane.deliveries.isEmpty {
                        hold([lane])
                    } else {
                        attempts.withLock { for pending in lane.deliveries { $0[pending.id] = pending.attempts } }
                        all.lanes.append(lane)
                    }
                }
            } catch {
                // Nobody has got these.
                hold(all.lanes + leased.lanes)
                throw error
            }
            // Whoever asked takes a number as large as it asked for as a sign that there is more.
            guard leased.lanes.count == rest.lanes else { break }
        }
        try await keep(&all, request)
        return all
    }

    /// For as long as was asked for.
    private func keep(_ all: inout Leased, _ request: LeaseRequest) async throws(StoreError) {
        guard !all.lanes.isEmpty, request.duration > Self.moment else { return }
        do throws(StoreError) {
            let kept = try await base.extend(all.lanes.map(\.lease), at: request.uptime, for: request.duration)
            // Whoever has taken another meanwhile delivers it.
            all.lanes.removeAll { !kept.contains($0.lease) }
        } catch {
            hold(all.lanes)
            throw error
        }
    }

    private func hold(_ lanes: [LeasedLane]) {
        held.withLock { for lane in lanes { $0[lane.lease.lane] = lane.lease } }
    }

    /// What is handed out of a lane.
    private func front(_ deliveries: [PendingDelivery]) async throws(StoreError) -> [PendingDelivery] {
        for (index, pending) in deliveries.enumerated() {
            let isWhole = pending.owed.isEmpty
            if !isWhole { lacking.withLock { _ = $0.insert(pending.id) } }
            guard isWhole, pending.entry.isSelfContained, try await base.dependents(of: pending.entry.id).isEmpty else {
                return Array(deliveries[..<index])
            }
        }
        return deliveries
    }

    /// A no to one who comes without credentials, and merges nothing, uses up nothing that the app has.
    @discardableResult
    func commit(_ commit: Commit) async throws(StoreError) -> Committed {
        var commit = commit
        for (index, settlement) in commit.settled.enumerated() {
            let before = attempts.withLock { $0[settlement.delivery] }
            if case .retry(_, let failure) = settlement.verdict, Self.refusals.contains(failure.code), let before {
                commit.settled[index].attempts = before
            }
        }
        let committed = try await base.commit(commit)
        attempts.withLock { for settlement in commit.settled { $0[settlement.delivery] = nil } }
        return committed
    }

    private static let refusals: Set<DeliveryFailure.Code> = [.needsAuthentication, .conflict, .rejected]

    // MARK: All else is the base's

    func extend(
        _ leases: [Lease], at uptime: Uptime, for duration: Duration
    ) async throws(StoreError) -> Set<Lease> {
        try await base.extend(leases, at: uptime, for: duration)
    }

    func nextDue(_ request: LeaseRequest) async throws(StoreError) -> WallTime? { try await base.nextDue(request) }

    func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry] {
        try await base.dependents(of: entry)
    }

    func assignedIDs(
        for temporary: Set<String>, of account: Account?
    ) async throws(StoreError) -> [String: String] {
        try await base.assignedIDs(for: temporary, of: account)
    }

    func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord? {
        try await base.record(of: entry)
    }

    func records(
        of account: Account?, kind: String?, after: OutboxEntry.ID?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try await base.records(of: account, kind: kind, after: after, limit: limit)
    }

    func deadLetters(
        of account: Account?, after: DeliveryID?, limit: Int
    ) async throws(StoreError) -> [DeadLetter] {
        try await base.deadLetters(of: account, after: after, limit: limit)
    }

    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts { try await base.counts(of: account) }

    func news() -> AsyncStream<Void> { base.news() }

    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try await base.row(key) }

    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] { try await base.rows(keys) }

    func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        try await base.rows(query, of: account, kind: kind)
    }

    func commit(_ changes: [EntityChange]) async throws(StoreError) { try await base.commit(changes) }

    func removeAll(of account: Account?) async throws(StoreError) { try await base.removeAll(of: account) }

    func changes(of account: Account?, kind: String) -> EntityChanges { base.changes(of: account, kind: kind) }
}
