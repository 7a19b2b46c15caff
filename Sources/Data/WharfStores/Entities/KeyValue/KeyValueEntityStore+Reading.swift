internal import Synchronization
internal import WharfCore
internal import WharfStorage

/// Each of these functions runs with the store's mutex held.
extension KeyValueEntityStore {
    func row(_ key: EntityKey, under name: String) async throws(StoreError) -> EntityRow? {
        guard let bytes = try await store.value(for: name) else { return nil }
        // A row that can't be read is an error: an empty answer would let a commit overwrite it.
        guard let row = RowBytes.decoded(bytes, key: key) else { throw undecodable("a row", name, bytes) }
        return row
    }

    func answer(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow] {
        let start = names.ofKind(kind, account: account)
        var rows: [EntityRow] = []
        for name in try await store.keys(withPrefix: start) {
            let id = String(decoding: name.utf8.dropFirst(start.utf8.count), as: UTF8.self)
            if let row = try await row(EntityKey(account: account, kind: kind, id: id), under: name) {
                rows.append(row)
            }
        }
        return query.answer(rows, id: { $0.key.id }, fields: { $0.fields })
    }

    /// Returns the states of keys whose accounts are loaded.
    func current(_ keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        var found = EntityStates()
        for key in keys where found.states[key] == nil {
            let row = try await row(key, under: names.of(key))
            let version = table.withLock { table in
                found.versions[key.account] = table.version(of: key.account)
                return table.entry(key).version
            }
            found.states[key] = EntityState(row: row, version: version)
        }
        return found
    }

    /// Reads the versions of an account, once.
    func load(_ account: Account?) async throws(StoreError) {
        // Versions change only in this store, so an account is read once until `settle` drops the
        // table.
        if table.withLock({ $0.knows(account) }) { return }
        var (version, floor) = (StoreVersion.none, StoreVersion.none)
        let mark = names.version(of: account)
        if let bytes = try await store.value(for: mark) {
            guard let known = AccountBytes.decoded(bytes) else { throw undecodable("a version", mark, bytes) }
            (version, floor) = known
        }
        var entries: [(EntityKey, VersionedTable<Void>.Entry)] = []
        var isWhole = true
        for name in try await store.keys(withPrefix: names.ofAccount(account)) {
            guard let bytes = try await store.value(for: name) else { continue }
            guard let key = names.key(name, of: account), let head = RowBytes.head(bytes) else {
                isWhole = false
                continue
            }
            version = max(version, head.version)
            entries.append((key, .init(value: head.isRemoval ? nil : (), version: head.version)))
        }
        // An unreadable value may have the account's last version. The next number is skipped, so
        // that no number is used twice.
        if !isWhole { (version, floor) = (version.next, version.next) }
        table.withLock { [version, floor] in $0.restore(account, version: version, floor: floor, entries) }
    }

    func undecodable(_ what: String, _ name: String, _ bytes: [UInt8]) -> StoreError {
        StoreError(
            .undecodable,
            message: "\"\(name)\" has \(bytes.count) bytes that are not \(what) of version 1; another program or a "
                + "newer Wharf wrote them, and they stay as they are")
    }
}
