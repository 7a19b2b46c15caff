import Synchronization
import Wharf
import WharfStorage

/// A journal that leases only entries that can be sent without the app.
///
/// These are requests with an absolute target, without dependents, and without missing ids. This
/// tool does not read ids from answers. So dependents would be sent with temporary ids.
///
/// If another entry stands first in a lane, the lane is leased briefly to find that out, and
/// released unchanged. So the app can get it at any time. Such a lane is not examined again in this
/// run.
final class SelfContainedStore: WriteStore {
    private let base: any WriteStore
    /// The lanes left to the app.
    private let left = Mutex<Set<Lease.Lane>>([])
    private let lacking = Mutex<Set<DeliveryID>>([])
    /// The attempts so far, at the time of the lease.
    private let attempts = Mutex<[DeliveryID: Int]>([:])

    static let moment = Duration.seconds(5)
    /// The maximum number of lanes examined in one commit.
    static let mostAtOnce = 256

    init(_ base: any WriteStore) { self.base = base }

    /// The deliveries held back because they lack ids.
    var lackingIDs: Set<DeliveryID> { lacking.withLock(\.self) }

    /// - Throws: the error of the journal. Leases taken before it expire in a moment.
    func lease(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult {
        var all = LeaseResult()
        var width = 0
        while all.lanes.count < request.lanes {
            var rest = request
            rest.lanes = max(request.lanes - all.lanes.count, width)
            rest.duration = min(request.duration, Self.moment)
            rest.except.formUnion(left.withLock(\.self))
            let leased = try await base.lease(rest)
            all.expired += leased.expired
            let found = try await look(at: leased.lanes)
            all.lanes += found
            // The caller takes a result as large as its request as a sign that there is more.
            guard leased.lanes.count == rest.lanes else { break }
            // Few of these lanes can be sent. Others may be behind many that are left to the app,
            // so the next round examines more.
            if found.count * 2 < leased.lanes.count { width = min(rest.lanes * 2, Self.mostAtOnce) }
        }
        try await giveBack(all.lanes.dropFirst(request.lanes))
        all.lanes = Array(all.lanes.prefix(request.lanes))
        try await keep(&all, request)
        attempts.withLock { attempts in
            for pending in all.lanes.flatMap(\.deliveries) { attempts[pending.id] = pending.attempts }
        }
        return all
    }

    /// - Returns: the lanes with deliveries that can be sent. The others are released.
    private func look(at lanes: [LeasedLane]) async throws(StoreError) -> [LeasedLane] {
        var (found, others): ([LeasedLane], [LeasedLane]) = ([], [])
        for lane in lanes {
            let deliveries = try await front(lane.deliveries)
            if deliveries.isEmpty {
                others.append(lane)
            } else {
                found.append(LeasedLane(lease: lane.lease, deliveries: deliveries))
            }
        }
        left.withLock { $0.formUnion(others.map(\.lease.lane)) }
        try await giveBack(others)
        return found
    }

    private func giveBack(_ lanes: some Collection<LeasedLane>) async throws(StoreError) {
        guard !lanes.isEmpty else { return }
        var commit = Commit()
        commit.released = lanes.map(\.lease)
        try await base.commit(commit)
    }

    /// Extends the leases to the duration in the request.
    private func keep(_ all: inout LeaseResult, _ request: LeaseRequest) async throws(StoreError) {
        guard !all.lanes.isEmpty, request.duration > Self.moment else { return }
        let kept = try await base.extend(all.lanes.map(\.lease), for: request.duration)
        // A lease that was not extended has another holder, which delivers the lane.
        all.lanes.removeAll { !kept.contains($0.lease) }
    }

    /// Returns the deliveries at the front of a lane that can be sent.
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

    /// Commits, and restores the number of attempts after a refusal.
    ///
    /// This tool has no credentials and merges nothing, so its refusals must not use up the app's
    /// attempts.
    @discardableResult
    func commit(_ commit: Commit) async throws(StoreError) -> CommitResult {
        var commit = commit
        for (index, settlement) in commit.settled.enumerated() {
            let before = attempts.withLock { $0[settlement.delivery] }
            if case .retry(_, let failure) = settlement.outcome, Self.refusals.contains(failure.code), let before {
                commit.settled[index].attempts = before
            }
        }
        let committed = try await base.commit(commit)
        attempts.withLock { for settlement in commit.settled { $0[settlement.delivery] = nil } }
        return committed
    }

    private static let refusals: Set<DeliveryFailure.Code> = [.needsAuthentication, .conflict, .rejected, .inProgress]

    // MARK: All else is the base's

    func extend(_ leases: [Lease], for duration: Duration) async throws(StoreError) -> Set<Lease> {
        try await base.extend(leases, for: duration)
    }

    func nextDue(_ request: LeaseRequest) async throws(StoreError) -> NextDue { try await base.nextDue(request) }

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
        of account: Account?, kind: String?, after: Int64?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try await base.records(of: account, kind: kind, after: after, limit: limit)
    }

    func deadLetters(
        of account: Account?, after: DeliveryID?, limit: Int
    ) async throws(StoreError) -> [DeadLetter] {
        try await base.deadLetters(of: account, after: after, limit: limit)
    }

    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts { try await base.counts(of: account) }

    func oldestPending(of account: Account?) async throws(StoreError) -> [String: WallTime] {
        try await base.oldestPending(of: account)
    }

    func notifications() -> AsyncStream<Void> { base.notifications() }

    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try await base.row(key) }

    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] { try await base.rows(keys) }

    func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        try await base.rows(query, of: account, kind: kind)
    }

    func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        try await base.states(of: keys)
    }
    func states(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> EntityList {
        try await base.states(query, of: account, kind: kind)
    }
    func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try await base.commit(changes, expecting: expected)
    }
    func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        try await base.removeAll(of: account)
    }
    func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        base.changes(of: account, kind: kind, since: version)
    }
}
