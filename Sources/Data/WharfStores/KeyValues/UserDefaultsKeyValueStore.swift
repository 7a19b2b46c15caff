internal import Foundation
internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// A key-value store in `UserDefaults`, for a few small values that are no secrets.
///
/// ```swift
/// let settings = UserDefaultsKeyValueStore(suite: "com.example.app")
/// ```
///
/// It is less durable than the contract of a durable store. On Apple platforms another process
/// writes to the disk some time after a set returns. A crash of the app loses nothing, but a loss
/// of power may lose the last sets. On Linux each set writes the whole suite. All values are in
/// memory from the first read on, and in plain text on the disk and in backups. Use a
/// ``FileKeyValueStore`` for values that must not be lost, and the keychain for secrets.
public final class UserDefaultsKeyValueStore: KeyValueStore {
    private let defaults: Mutex<UserDefaults>
    private let prefix: String

    /// Creates a store for a suite.
    ///
    /// - Parameters:
    ///   - suite: the name of the suite; nil for the app's own. An app group's name shares it with
    ///     the group.
    ///   - prefix: the prefix of its entries, followed by the percent-encoded name. The store sees
    ///     no other entries.
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` for a name that Foundation accepts for
    ///   no suite, such as the app's own bundle identifier.
    public init(suite: String?, prefix: String = "wharf.") throws(StoreError) {
        guard let defaults = UserDefaults(suiteName: suite) else {
            throw StoreError(
                .unavailable,
                message: "Foundation refuses the suite name \"\(suite ?? "")\"; choose another, or nil for the app's "
                    + "own")
        }
        self.defaults = Mutex(defaults)
        self.prefix = prefix
    }

    public func value(for key: String) async throws(StoreError) -> [UInt8]? {
        let entry = entry(of: key)
        let (found, bytes) = defaults.withLock { defaults in
            let object = defaults.object(forKey: entry)
            return (object.map { "\(type(of: $0))" }, (object as? Data).map { [UInt8]($0) })
        }
        if let found, bytes == nil {
            throw StoreError(
                .corrupt,
                message: "UserDefaults has a \(found) under \(entry) instead of bytes; set or remove the name, or "
                    + "choose another prefix")
        }
        return bytes
    }

    public func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {
        let entry = entry(of: key)
        let isWritten = defaults.withLock { defaults in
            if let value { defaults.set(Data(value), forKey: entry) } else { defaults.removeObject(forKey: entry) }
            return defaults.synchronize()
        }
        guard isWritten else {
            throw StoreError(
                .unavailable,
                message:
                    "could not write UserDefaults, which hold \(entry) in memory now; check the permissions of their file"
            )
        }
    }

    /// - Complexity: O(n) in the entries of the suite, and a sort of the matches.
    public func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        let entries = defaults.withLock { Array($0.dictionaryRepresentation().keys) }
        return
            entries
            .filter { $0.utf8.starts(with: self.prefix.utf8) }
            .compactMap { PercentName.decoded(Substring($0).utf8.dropFirst(self.prefix.utf8.count)) }
            .map(UTF8Key.init)
            .listed(withPrefix: prefix)
    }

    private func entry(of key: String) -> String { prefix + PercentName.encoded(key) }
}
