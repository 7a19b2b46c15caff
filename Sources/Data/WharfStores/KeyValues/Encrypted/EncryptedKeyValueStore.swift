#if Encryption
public import Crypto
internal import Foundation
internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// A key-value store that encrypts names and values in another store.
///
/// ```swift
/// let store = EncryptedKeyValueStore(try await FileKeyValueStore.open(at: folder), key: key)
/// ```
///
/// - A value is stored under the HMAC-SHA256 of its name, and holds name and value sealed by
///   AES-GCM. Both keys come from `key` by HKDF-SHA256. A reader of the other store learns how many
///   values there are, their lengths, and when each is written.
/// - A value that was changed, or moved to another name, throws
///   ``WharfCore/StoreError/Code/corrupt``, as does every use with another key. A replay of an
///   older state of the same value is not detected.
/// - The other store may hold values that are not encrypted. This store touches only its own names:
///   `sealed-key`, and those that begin with `sealed.`.
///
/// Keep the key in the keychain, or derive it from a secret of the user. It is no password: derive
/// it from one by a slow function.
public final class EncryptedKeyValueStore: KeyValueStore {
    private let base: any KeyValueStore
    private let seal: ValueSeal
    // Only a memo of a success. Two first calls may both check, with one result.
    private let isKeyChecked = Mutex(false)

    /// Creates a store over another one.
    ///
    /// - Parameter key: a key of 256 bits, the same each time.
    public init(_ base: any KeyValueStore, key: SymmetricKey) {
        self.base = base
        seal = ValueSeal(key)
    }

    public func value(for key: String) async throws(StoreError) -> [UInt8]? {
        try await checkKey()
        let stored = seal.storedName(key)
        guard let bytes = try await base.value(for: stored) else { return nil }
        let found = try seal.open(bytes, under: stored)
        return found.value
    }

    public func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {
        // Removing a name writes no mark, so an empty store stays empty.
        try await checkKey(leavingMark: value != nil)
        let stored = seal.storedName(key)
        guard let value else { return try await base.set(nil, for: stored) }
        try await base.set(try seal.sealed(key, value, under: stored), for: stored)
    }

    /// - Complexity: reads and opens every value, since the names are sealed with them.
    public func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        try await checkKey()
        var names: [UTF8Key] = []
        for stored in try await base.keys(withPrefix: ValueSeal.prefix) {
            // The value was removed after the names were listed.
            guard let bytes = try await base.value(for: stored) else { continue }
            names.append(UTF8Key(try seal.open(bytes, under: stored).name))
        }
        return names.listed(withPrefix: prefix)
    }

    /// Checks that the store was written with this key.
    ///
    /// With another key all stored names would differ, and every value would look unset.
    private func checkKey(leavingMark: Bool = false) async throws(StoreError) {
        if isKeyChecked.withLock({ $0 }) { return }
        if let mark = try await base.value(for: ValueSeal.markName) {
            guard mark == seal.mark else {
                throw StoreError(
                    .corrupt,
                    message:
                        "could not open the store with this key: \(ValueSeal.markName) was made with another key, or "
                        + "is damaged; open it with the key that it was made with")
            }
        } else if leavingMark {
            // Before the first value: a kill in between leaves a mark without values, and never
            // values without a mark.
            try await base.set(seal.mark, for: ValueSeal.markName)
        } else {
            return
        }
        isKeyChecked.withLock { $0 = true }
    }
}
#endif
