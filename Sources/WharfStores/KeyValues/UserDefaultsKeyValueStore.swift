internal import Foundation
internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// Keeps values in `UserDefaults`: for a few small ones that are no secret, such as settings.
///
/// ```swift
/// let settings = UserDefaultsKeyValueStore(suite: "com.example.app")
/// ```
///
/// It is less durable than the contract asks of a durable store: on Apple platforms another process
/// writes to the disk some time after a set returns, so that a crash of the app loses nothing but a
/// loss of power may lose the last sets. On Linux each set writes the whole suite. Everything is in
/// memory from the first read on, in plain text on the disk and in backups. What must not be lost
/// belongs into a ``FileKeyValueStore``, and a secret into the keychain.
public final class UserDefaultsKeyValueStore: KeyValueStore {
    private let defaults: Mutex<UserDefaults>
    private let prefix: String

    /// - Parameters:
    ///   - suite: the name of the suite; nil for the app's own. An app group's name shares it with
    ///     the group.
    ///   - prefix: what its entries begin with, followed by the name, percent-encoded. It sees no
    ///     other entries.
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` for a name that Foundation takes for no
    ///   suite, such as the app's own bundle identifier.
    public init(suite: String?, prefix: String = "wharf.") throws(StoreError) {
        guard let defaults = UserDefaults(suiteName: suite) else {
            throw StoreError(
                .unavailable,
                message: "expected the name of a suite, but Foundation refuses \"\(suite ?? "")\"; "
                    + "choose another, or nil for the app's own")
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
                message: "expected bytes under \(entry) in UserDefaults, but found a \(found); set or remove the name, "
                    + "or choose another prefix")
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

    /// - Complexity: a look at each entry of the suite, and a sort of those that match.
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
