internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// Keeps entities in any ``WharfCore/KeyValueStore``, such as files that are encrypted: for some hundreds of entities of a kind.
///
/// ```swift
/// let entities = KeyValueEntityStore(EncryptedKeyValueStore(files, key: key))
/// ```
///
/// - Each row is a value. A commit of several is written as one value first, and finished from that by whoever comes next if the
///   process is killed: it needs of the other store no more than that single sets are atomic.
/// - A commit that throws is there as a whole or not at all; the next read tells which.
/// - Reads and commits wait for one another. A query reads every row of its kind.
/// - One entity store at a time uses the names under `prefix`: of what another one commits it doesn't tell.
public final class KeyValueEntityStore: EntityStore {
    private let store: any KeyValueStore
    private let names: EntityNames
    private let turns = AsyncMutex()
    /// No commit is left to be finished.
    private let isSettled = Mutex(false)
    private let subscriptions = EntitySubscriptions()

    /// - Parameter prefix: what all its names in the store begin with.
    public init(_ store: any KeyValueStore, prefix: String = "entities/") {
        self.store = store
        names = EntityNames(prefix: prefix)
    }

    /// - Throws: ``WharfCore/StoreError/Code/undecodable`` for a value that this version of Wharf didn't write.
    public func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? {
        try await turns.withLock { () async throws(StoreError) in
            try await settle()
            return try await row(key, under: names.of(key))
        }
    }

    public func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        try await turns.withLock { () async throws(StoreError) -> [EntityKey: EntityRow] in
            try await settle()
            var rows: [EntityKey: EntityRow] = [:]
            for key in keys where rows[key] == nil { rows[key] = try await row(key, under: names.of(key)) }
            return rows
        }
    }

    /// - Complexity: a listing of the names, one read for each row of the kind, and a sort of those that match.
    public func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        let rows = try await turns.withLock { () async throws(StoreError) -> [EntityRow] in
            try await settle()
            let start = names.ofKind(kind, account: account)
            var rows: [EntityRow] = []
            for name in try await store.keys(withPrefix: start) {
                let id = String(decoding: name.utf8.dropFirst(start.utf8.count), as: UTF8.self)
                if let row = try await row(EntityKey(account: account, kind: kind, id: id), under: name) {
                    rows.append(row)
                }
            }
            return rows
        }
        return query.answer(rows, id: { $0.key.id }, fields: { $0.fields })
    }

    public func commit(_ changes: [EntityChange]) async throws(StoreError) {
        try await turns.withLock { () async throws(StoreError) in
            try await settle()
            // Also after an error, which doesn't say that nothing was changed.
            defer { subscriptions.tell(changes.lazy.map(\.key)) }
            try await carryOut(CommitIntent(changes, names: names))
        }
    }

    public func removeAll(of account: Account?) async throws(StoreError) {
        try await turns.withLock { () async throws(StoreError) in
            try await settle()
            let removed = try await store.keys(withPrefix: names.ofAccount(account))
            defer { subscriptions.tellAll { $0 == account } }
            try await carryOut(CommitIntent(removed.map { ($0, nil) }))
        }
    }

    public func changes(of account: Account?, kind: String) -> EntityChanges {
        subscriptions.subscribe(to: account, kind: kind)
    }

    private func row(_ key: EntityKey, under name: String) async throws(StoreError) -> EntityRow? {
        guard let bytes = try await store.value(for: name) else { return nil }
        guard let row = RowBytes.decoded(bytes, key: key) else { throw Self.undecodable("a row", name, bytes) }
        return row
    }
}

extension KeyValueEntityStore {
    private func carryOut(_ intent: CommitIntent) async throws(StoreError) {
        guard let only = intent.writes.first else { return }
        // A set by itself is atomic.
        if intent.writes.count == 1 { return try await store.set(only.value, for: only.name) }
        isSettled.withLock { $0 = false }
        try await store.set(intent.encoded, for: names.intent)
        do throws(StoreError) {
            try await finish(intent)
        } catch {
            throw StoreError(
                error.code, message: "\(error.message); the commit is recorded and will be finished at the next use",
                cause: error)
        }
    }

    /// May be done again from its start as often as it takes.
    private func finish(_ intent: CommitIntent) async throws(StoreError) {
        for write in intent.writes { try await store.set(write.value, for: write.name) }
        try await store.set(nil, for: names.intent)
        isSettled.withLock { $0 = true }
    }

    /// Finishes a commit that was recorded before a kill or an error.
    private func settle() async throws(StoreError) {
        if isSettled.withLock({ $0 }) { return }
        if let bytes = try await store.value(for: names.intent) {
            guard let intent = CommitIntent(bytes) else {
                throw Self.undecodable("a recorded commit", names.intent, bytes)
            }
            try await finish(intent)
            subscriptions.tellAll { _ in true }
        }
        isSettled.withLock { $0 = true }
    }

    private static func undecodable(_ what: String, _ name: String, _ bytes: [UInt8]) -> StoreError {
        StoreError(
            .undecodable,
            message: "expected \(what) of version 1 under \"\(name)\", but found \(bytes.count) other bytes; "
                + "it was written by something else, or by a newer Wharf, and stays as it is")
    }
}
