#if SQLite
internal import GRDB
public import WharfCore
public import WharfStorage

extension SQLiteWriteStore {
    /// Leases lanes that are due.
    ///
    /// If the disk has no room for a lease, the opened file holds the lane in memory, and
    /// ``WharfCore/LeaseResult/isInMemory`` is true. Other engines on the same opened file are kept
    /// out as usual. **Another process does not know of the lease.** It may send the same entries
    /// with the same keys at the same time, or rewrite one in flight. The next successful
    /// transaction writes the lease into the file. It is lost if another process has leased the
    /// lane by then.
    ///
    /// Expired entries stay in the file until there is room, and are not handed out. An entry whose
    /// timed condition has newly been met waits for room too.
    public func lease(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult {
        do throws(StoreError) {
            return try await leaseOnDisk(request)
        } catch  where error.code == .full {
            return try await leaseInMemory(request)
        }
    }

    private func leaseOnDisk(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult {
        try await file.commit("lease lanes") {
            [uptime, reached = file.probe.reached, owners = file.owners] db, effects in
            var journal = JournalWriter(db) { reached?($0) }
            // First, so that the lanes of dead owners are due in this transaction.
            let hasEnded = try owners.map { try journal.endLeases(ofDead: $0) } ?? false
            let leased = try journal.lease(request, at: uptime.now(), for: owners)
            // Another engine may wait for expired entries, or for a dead owner's lane that is not
            // leased here.
            effects.notifiesJournal = hasEnded || !leased.expired.isEmpty
            return leased
        }
    }

    /// Reads on the writing connection, which makes it serial with leases on the disk.
    ///
    /// Otherwise a lane could be leased both on the disk and in memory.
    private func leaseInMemory(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult {
        try await file.write("lease lanes") { [uptime, unwritten = file.unwritten] db in
            let now = uptime.now()
            var request = request
            // A lane that is held in memory looks free in the file.
            request.except.formUnion(unwritten.lanes(at: now))
            var leased = LeaseResult()
            // It only reads, so it needs no room on the full disk.
            try db.inTransaction(.deferred) {
                let journal = JournalReader(db: db)
                request = try journal.unpaused(request)
                for lane in try journal.due(request, at: now) {
                    let taken = try journal.front(of: lane, request).taken
                    guard let last = taken.last else { continue }
                    let name = Lease.Lane(
                        account: request.account, name: lane.name, destination: lane.filter.destination)
                    // `after` tells later whether another process has leased the lane since.
                    let lease = unwritten.hold(
                        name, after: try journal.lastLease(of: lane.id), upTo: last.seq,
                        until: now + request.duration)
                    leased.lanes.append(LeasedLane(lease: lease, deliveries: taken.map(\.delivery)))
                }
                return .commit
            }
            leased.isInMemory = !leased.lanes.isEmpty
            return leased
        }
    }

    public func extend(_ leases: [Lease], for duration: Duration) async throws(StoreError) -> Set<Lease> {
        do throws(StoreError) {
            return try await file.commit("extend leases") { [uptime, unwritten = file.unwritten] db, _ in
                var journal = JournalWriter(db) { _ in }
                // The caller may know a lease under its provisional number.
                let extended = try journal.extend(leases.map(unwritten.written), at: uptime.now(), for: duration)
                // The answer has the caller's numbers.
                return Set(leases.filter { extended.contains(unwritten.written($0)) })
            }
        } catch  where error.code == .full {
            return try await extendInMemory(leases, for: duration)
        }
    }

    private func extendInMemory(
        _ leases: [Lease], for duration: Duration
    ) async throws(StoreError) -> Set<Lease> {
        try await file.write("extend leases") { [uptime, unwritten = file.unwritten] db in
            let now = uptime.now()
            return try Set(
                leases.filter { lease in
                    // The written lease may have been taken over by another process.
                    let isWritten = try JournalReader(db: db).isGood(unwritten.written(lease), at: now)
                    return unwritten.extend(lease, isWritten: isWritten, until: now + duration, at: now)
                })
        }
    }
}

extension Commit {
    /// Returns the commit with other names for the leases that it settles or releases.
    func naming(_ name: (Lease) -> Lease) -> Commit {
        var commit = self
        for index in settled.indices { commit.settled[index].lease = name(settled[index].lease) }
        commit.released = released.map(name)
        return commit
    }
}
#endif
