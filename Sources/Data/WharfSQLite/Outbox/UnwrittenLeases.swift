internal import Synchronization
internal import WharfCore
internal import WharfStorage

/// The leases of one opened data file that the disk had no room for.
///
/// Such a lease is held in memory until a transaction writes it (``JournalWriter/write(_:for:)``),
/// it is released, or it runs out. It keeps out all engines on the same opened file. Other
/// processes don't know of it.
///
/// The journal assigns the number of such a lease only when it writes it. Until then the lease has
/// a provisional number, which is negative. The engine keeps that number, and ``written(_:)`` maps
/// it to the real lease.
///
/// All calls but ``forget(_:)`` come from the writing connection, so they are serial.
final class UnwrittenLeases: Sendable {
    /// A lane that is held in memory.
    struct HeldLane: Sendable {
        let lease: Lease
        /// The number of the lane's last lease in the journal, when this one was taken.
        ///
        /// It differs from the present one if another process has leased the lane since.
        let before: Int64?
        /// The last delivery that was handed out; nil for an extension of a written lease.
        let upTo: Int64?
        var until: Uptime
    }

    private struct State {
        /// The held lanes by the numbers under which they were handed out.
        var held: [Int64: HeldLane] = [:]
        /// Leases in the journal, by their provisional numbers.
        var written: [Int64: Lease] = [:]
        /// The leases that the current transaction has written. It isn't committed yet.
        var inTransaction: [Int64: Lease] = [:]
        var lastNumber: Int64 = 0

        func good(at now: Uptime) -> [HeldLane] { held.values.filter { !$0.until.hasCome(by: now) } }
    }

    // Invariants: a lane has at most one entry in `held`. `lastNumber` falls, so no provisional
    // number is used twice. `inTransaction` is empty outside of the transaction that set it.
    private let state = Mutex(State())

    /// The held lanes in the order in which they were handed out.
    var held: [HeldLane] {
        state.withLock { state in
            // Provisional numbers fall, so the greatest came first.
            state.held.isEmpty ? [] : state.held.values.sorted { $0.lease.number > $1.lease.number }
        }
    }

    /// The lanes that are held, without those whose leases have run out.
    func lanes(at now: Uptime) -> Set<Lease.Lane> {
        state.withLock { Set($0.good(at: now).map(\.lease.lane)) }
    }

    /// When the first of these leases runs out; nil if no lane there is held.
    func nextEnd(of account: Account?, _ destinations: Set<String>, at now: Uptime) -> Uptime? {
        state.withLock { state in
            state.good(at: now)
                .filter { $0.lease.lane.account == account && destinations.contains($0.lease.lane.destination) }
                .map(\.until).min { $0.nanoseconds < $1.nanoseconds }
        }
    }

    /// Holds a lane under a provisional number, and drops an expired lease of it.
    func hold(_ lane: Lease.Lane, after before: Int64?, upTo: Int64, until: Uptime) -> Lease {
        state.withLock { state in
            state.lastNumber -= 1
            let lease = Lease(lane: lane, number: state.lastNumber)
            // Two leases of a lane would both be written, and the first owner would deliver beside
            // the second.
            state.held = state.held.filter { $0.value.lease.lane != lane }
            state.held[lease.number] = HeldLane(lease: lease, before: before, upTo: upTo, until: until)
            return lease
        }
    }

    /// Extends a lease in memory.
    ///
    /// - Parameter isWritten: whether the journal has the lease, and it has not run out there.
    /// - Returns: whether it is still held.
    func extend(_ lease: Lease, isWritten: Bool, until: Uptime, at now: Uptime) -> Bool {
        state.withLock { state in
            if let held = state.held[lease.number] {
                // A lease that ran out may be another engine's by now.
                guard !held.until.hasCome(by: now) else { return false }
                state.held[lease.number]?.until = until
                return true
            }
            guard isWritten else { return false }
            let number = state.written[lease.number]?.number ?? lease.number
            state.held[lease.number] = HeldLane(lease: lease, before: number, upTo: nil, until: until)
            return true
        }
    }

    // MARK: Writing

    /// Records the leases that a transaction has written. It may still fail.
    ///
    /// - Parameter leases: by the numbers under which they were handed out.
    func wrote(_ leases: [Int64: Lease]) { state.withLock { $0.inTransaction = leases } }

    /// Records that the transaction is on the disk. Held leases that it did not write are lost.
    func commit() {
        state.withLock { state in
            // The usual case: no lease waited for room.
            guard !state.held.isEmpty else { return }
            // A lease that the transaction did not write belongs to another process by now.
            state.held = [:]
            state.written.merge(state.inTransaction) { $1 }
            state.inTransaction = [:]
        }
    }

    /// Forgets the leases that the transaction wrote, because it was rolled back. Another process
    /// may be assigned the same numbers.
    func rollback() { state.withLock { $0.inTransaction = [:] } }

    /// The lease under its number in the journal; the same if its number never changed.
    func written(_ lease: Lease) -> Lease {
        guard lease.number < 0 else { return lease }
        // Inside the transaction that writes a lease, its settlements must find the new number
        // already.
        return state.withLock { $0.inTransaction[lease.number] ?? $0.written[lease.number] ?? lease }
    }

    /// Forgets the numbers of released leases.
    func forget(_ leases: [Lease]) {
        state.withLock { state in
            for lease in leases where lease.number < 0 { state.written[lease.number] = nil }
        }
    }
}
