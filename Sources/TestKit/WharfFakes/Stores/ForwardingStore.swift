package import WharfCore
package import WharfStorage

/// An entity store over another one, which implements only the changed calls.
///
/// ```swift
/// struct FullStore: ForwardingEntityStore {
///     let base = MemoryEntityStore()
///     func commit(
///         _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
///     ) async throws(StoreError) -> CommitOutcome { throw StoreError(.full, message: "scripted") }
/// }
/// ```
package protocol ForwardingEntityStore: EntityStore {
    associatedtype Base: EntityStore
    /// The store that gets each call. Each access may return another store.
    var base: Base { get }
}

extension ForwardingEntityStore {
    package func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try await base.row(key) }

    package func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        try await base.rows(keys)
    }

    package func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow] {
        try await base.rows(query, of: account, kind: kind)
    }

    package func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        try await base.states(of: keys)
    }

    package func states(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> EntityList {
        try await base.states(query, of: account, kind: kind)
    }

    @discardableResult
    package func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try await base.commit(changes, expecting: expected)
    }

    @discardableResult
    package func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        try await base.removeAll(of: account)
    }

    package func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        base.changes(of: account, kind: kind, since: version)
    }
}

/// A store with a journal over another one; see ``ForwardingEntityStore``.
package protocol ForwardingWriteStore: ForwardingEntityStore, WriteStore where Base: WriteStore {}

extension ForwardingWriteStore {
    @discardableResult
    package func commit(_ commit: Commit) async throws(StoreError) -> CommitResult { try await base.commit(commit) }

    package func lease(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult {
        try await base.lease(request)
    }

    package func extend(
        _ leases: [Lease], for duration: Duration
    ) async throws(StoreError) -> Set<Lease> {
        try await base.extend(leases, for: duration)
    }

    package func nextDue(_ request: LeaseRequest) async throws(StoreError) -> NextDue {
        try await base.nextDue(request)
    }

    package func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry] {
        try await base.dependents(of: entry)
    }

    package func assignedIDs(
        for temporary: Set<String>, of account: Account?
    ) async throws(StoreError) -> [String: String] {
        try await base.assignedIDs(for: temporary, of: account)
    }

    package func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord? {
        try await base.record(of: entry)
    }

    package func records(
        of account: Account?, kind: String?, after: Int64?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try await base.records(of: account, kind: kind, after: after, limit: limit)
    }

    package func deadLetters(
        of account: Account?, after: DeliveryID?, limit: Int
    ) async throws(StoreError) -> [DeadLetter] {
        try await base.deadLetters(of: account, after: after, limit: limit)
    }

    package func counts(of account: Account?) async throws(StoreError) -> OutboxCounts {
        try await base.counts(of: account)
    }

    package func oldestPending(of account: Account?) async throws(StoreError) -> [String: WallTime] {
        try await base.oldestPending(of: account)
    }

    package func notifications() -> AsyncStream<Void> { base.notifications() }
}
