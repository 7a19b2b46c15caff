#if canImport(Security) && !os(Linux)
internal import Foundation
internal import Security
public import WharfCore
internal import WharfPrimitives

/// A key-value store in the keychain, for secrets such as a session's token.
///
/// ```swift
/// let secrets = KeychainKeyValueStore(service: "com.example.app.session")
/// ```
///
/// Values are generic passwords of one service. They are never synchronised to other devices nor
/// restored on them. On iOS they outlive the app: they are still there after it was deleted and
/// installed again. On macOS it is the data protection keychain, for which the app must be signed
/// with an application identifier.
public final class KeychainKeyValueStore: KeyValueStore {
    private let items: KeychainItems
    // Each call waits for another process. The queue is serial, so that two sets cannot both find
    // no item to update.
    private let queue = DispatchQueue(label: "Wharf.keychain")

    /// Creates a store for a service.
    ///
    /// - Parameters:
    ///   - service: the service of the items. The store sees no others.
    ///   - accessGroup: a keychain group that the app shares with others; nil for its own.
    ///   - accessibility: when values that are set from now on can be read.
    public init(
        service: String, accessGroup: String? = nil, accessibility: KeychainAccessibility = .afterFirstUnlock
    ) {
        items = KeychainItems(service: service, accessGroup: accessGroup, accessibility: accessibility)
    }

    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` while the device is locked in a way that
    ///   `accessibility` excludes.
    public func value(for key: String) async throws(StoreError) -> [UInt8]? {
        try await queue.run { [items] () throws(StoreError) in try items.value(of: PercentName.encoded(key)) }
    }

    public func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {
        try await queue.run { [items] () throws(StoreError) in
            let account = PercentName.encoded(key)
            if let value { try items.put(value, account) } else { try items.remove(account) }
        }
    }

    public func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        try await queue.run { [items] () throws(StoreError) in
            try items.accounts()
                .compactMap { PercentName.decoded(Substring($0).utf8) }
                .map(UTF8Key.init)
                .listed(withPrefix: prefix)
        }
    }
}

/// When items of the keychain can be read. They are never in another device's backup.
public enum KeychainAccessibility: Sendable {
    /// From the first unlock after a start on, even in the background.
    case afterFirstUnlock
    /// Only while the device is unlocked.
    case whenUnlocked
}
#endif
