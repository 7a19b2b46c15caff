public import WharfCore

/// How a ``WharfCore/KeyValueStore/migrate(from:withPrefix:)`` went. Each name that it found is in
/// one of the three.
public struct KeyValueMigration: Hashable, Sendable {
    /// How many values are here now and gone from where they were.
    public fileprivate(set) var moved = 0
    /// Names that had another value here already, which stayed; the old one was removed.
    public fileprivate(set) var superseded: [String] = []
    /// Names whose value is damaged, in one store or the other. Both were left as they are.
    public fileprivate(set) var unreadable: [String] = []
}

extension KeyValueStore {
    /// Moves values here from the store that the app used before, such as a token from UserDefaults
    /// to the keychain.
    ///
    /// ```swift
    /// let migration = try await keychain.migrate(from: userDefaults, withPrefix: "session.")
    /// ```
    ///
    /// Each value is copied, read again, and then removed from the old store. So it may be killed
    /// at any moment and run again, at each start: nothing is lost, and what was moved is not moved
    /// twice. Run it before anything else uses the two stores, or a value that is removed here
    /// while it runs may come back.
    ///
    /// What this store has already is the newer: it stays, and the old value is removed.
    ///
    /// - Parameter old: a store of other data. Two stores on the same file or suite must not be
    ///   migrated to each other.
    /// - Throws: what either store throws other than for a damaged value; what was not moved yet is
    ///   where it was.
    public func migrate(
        from old: some KeyValueStore, withPrefix prefix: String = ""
    ) async throws(StoreError) -> KeyValueMigration {
        var migration = KeyValueMigration()
        for name in try await old.keys(withPrefix: prefix) {
            do throws(StoreError) {
                guard let value = try await old.value(for: name) else { continue }
                let isSuperseded = try await copy(value, for: name) != value
                try await remove(name, from: old)
                if isSuperseded { migration.superseded.append(name) } else { migration.moved += 1 }
            } catch {
                guard error.code == .corrupt else { throw error }
                migration.unreadable.append(name)
            }
        }
        return migration
    }

    /// - Returns: what is here after it: the value, or what was here before.
    private func copy(_ value: [UInt8], for name: String) async throws(StoreError) -> [UInt8] {
        if let present = try await self.value(for: name) { return present }
        try await set(value, for: name)
        guard let found = try await self.value(for: name), found == value else {
            throw StoreError(
                .failed,
                message: "expected \"\(name)\" in the new store after it was set, but found another value or none; "
                    + "the old store still has it")
        }
        return found
    }

    private func remove(_ name: String, from old: some KeyValueStore) async throws(StoreError) {
        let kept = try await value(for: name)
        try await old.set(nil, for: name)
        guard try await value(for: name) == nil else { return }
        try await set(kept, for: name)
        throw StoreError(
            .failed,
            message: "removing \"\(name)\" from the old store took it from the new one too, where it was put back; "
                + "expected two stores of different data")
    }
}
