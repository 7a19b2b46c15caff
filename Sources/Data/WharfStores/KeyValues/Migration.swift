public import WharfCore

/// The result of ``WharfCore/KeyValueStore/migrate(from:withPrefix:)``.
///
/// Each name that it found is in one of the three.
public struct KeyValueMigration: Hashable, Sendable {
    /// The number of values that are now in the new store and gone from the old one.
    public fileprivate(set) var moved = 0
    /// The names that already had another value in the new store.
    ///
    /// That value stayed, and the old one was removed.
    public fileprivate(set) var superseded: [String] = []
    /// The names whose value is damaged in one of the stores. Both were left unchanged.
    public fileprivate(set) var unreadable: [String] = []
}

extension KeyValueStore {
    /// Moves values into this store from another one, such as UserDefaults.
    ///
    /// ```swift
    /// let migration = try await keychain.migrate(from: userDefaults, withPrefix: "session.")
    /// ```
    ///
    /// Each value is copied, read again, and then removed from the old store. A killed migration
    /// can run again at each start: nothing is lost, and no value is moved twice. Run it before
    /// anything else uses the two stores. Otherwise a value that is removed from this store
    /// meanwhile may come back.
    ///
    /// A value that this store already has counts as newer: it stays, and the old one is removed.
    ///
    /// - Parameter old: a store of other data. Two stores on the same file or suite must not be
    ///   migrated to each other.
    /// - Throws: the error of either store, other than for a damaged value. Values that were not
    ///   moved yet stay in the old store.
    public func migrate(
        from old: some KeyValueStore, withPrefix prefix: String = ""
    ) async throws(StoreError) -> KeyValueMigration {
        var migration = KeyValueMigration()
        for name in try await old.keys(withPrefix: prefix) {
            do throws(StoreError) {
                guard let value = try await old.value(for: name) else { continue }
                // The copy is read back before the old value is removed. A kill in between leaves
                // both, and the next run finds them equal.
                let isSuperseded = try await copy(value, for: name) != value
                try await remove(name, from: old)
                if isSuperseded { migration.superseded.append(name) } else { migration.moved += 1 }
            } catch {
                // A damaged value must not stop the migration of the others.
                guard error.code == .corrupt else { throw error }
                migration.unreadable.append(name)
            }
        }
        return migration
    }

    /// - Returns: the value in this store after the call: the copied one, or an earlier one.
    private func copy(_ value: [UInt8], for name: String) async throws(StoreError) -> [UInt8] {
        // A killed run may have copied it, or the app has a newer one. In both cases it stays.
        if let present = try await self.value(for: name) { return present }
        try await set(value, for: name)
        guard let found = try await self.value(for: name), found == value else {
            throw StoreError(
                .failed,
                message: "\"\(name)\" has another value or none in the new store after it was set; the old store still "
                    + "has it")
        }
        return found
    }

    private func remove(_ name: String, from old: some KeyValueStore) async throws(StoreError) {
        // If both stores are the same data, removing from the old one removes from this one. The
        // value is put back.
        let kept = try await value(for: name)
        try await old.set(nil, for: name)
        guard try await value(for: name) == nil else { return }
        try await set(kept, for: name)
        throw StoreError(
            .failed,
            message: "the stores have the same data: removing \"\(name)\" from the old one removed it from both, "
                + "and it was put back; use stores of different data")
    }
}
