#if SQLite
internal import GRDB
public import WharfCore
public import WharfStorage

extension SQLiteWriteStore {
    public func nextDue(_ request: LeaseRequest) async throws(StoreError) -> NextDue {
        try await file.read("look up when lanes are due") { [uptime, unwritten = file.unwritten] db in
            let (now, journal) = (uptime.now(), JournalReader(db: db))
            var next = try journal.nextDue(request, at: now)
            let destinations = try Set(journal.unpaused(request).destinations.map(\.destination))
            // Leases in memory are in no table.
            if let end = unwritten.nextEnd(of: request.account, destinations, at: now) {
                let left = Duration.nanoseconds(end.nanoseconds - now.nanoseconds)
                next.leaseEndsAfter = min(next.leaseEndsAfter ?? left, left)
            }
            return next
        }
    }

    public func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry] {
        try await file.read("read the dependents of an entry") { try JournalReader(db: $0).dependents(of: entry) }
    }

    public func assignedIDs(
        for temporary: Set<String>, of account: Account?
    ) async throws(StoreError) -> [String: String] {
        try await file.read("read assigned ids") {
            try JournalReader(db: $0).assignedIDs(for: temporary, of: account)
        }
    }

    public func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord? {
        try await file.read("read an entry") { try JournalReader(db: $0).record(of: entry) }
    }

    public func records(
        of account: Account?, kind: String?, after: Int64?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try await file.read("read entries") {
            try JournalReader(db: $0).records(of: account, kind: kind, after: after, limit: limit)
        }
    }

    public func deadLetters(
        of account: Account?, after: DeliveryID?, limit: Int
    ) async throws(StoreError) -> [DeadLetter] {
        try await file.read("read dead letters") {
            try JournalReader(db: $0).deadLetters(of: account, after: after, limit: limit)
        }
    }

    /// - Complexity: O(n) in the kinds of the account and in the dead letters of all accounts.
    ///   Pending entries cost nothing.
    public func counts(of account: Account?) async throws(StoreError) -> OutboxCounts {
        try await file.read("count the entries of the journal") { try JournalReader(db: $0).counts(of: account) }
    }

    public func oldestPending(of account: Account?) async throws(StoreError) -> [String: WallTime] {
        try await file.read("look for the oldest entries") { try JournalReader(db: $0).oldestPending(of: account) }
    }
}
#endif
