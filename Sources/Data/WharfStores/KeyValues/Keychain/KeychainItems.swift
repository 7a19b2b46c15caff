#if canImport(Security) && !os(Linux)
internal import Foundation
internal import Security
internal import WharfCore

/// The generic passwords of one service, by account. All calls block.
struct KeychainItems: Sendable {
    let service: String
    let accessGroup: String?
    let accessibility: KeychainAccessibility

    func value(of account: String) throws(StoreError) -> [UInt8]? {
        var query = item(account)
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var found: CFTypeRef?
        switch SecItemCopyMatching(query as CFDictionary, &found) {
        // An item without bytes has no data.
        case errSecSuccess: return (found as? Data).map { [UInt8]($0) } ?? []
        case errSecItemNotFound: return nil
        case let status: throw .keychain(status, doing: "read", service)
        }
    }

    func put(_ value: [UInt8], _ account: String) throws(StoreError) {
        let attributes: [CFString: Any] = [kSecValueData: Data(value), kSecAttrAccessible: accessible]
        // Another process may add or remove the item between the two calls, so both are tried
        // twice.
        var status = errSecSuccess
        for _ in 0..<2 {
            status = SecItemUpdate(item(account) as CFDictionary, attributes as CFDictionary)
            if status == errSecSuccess { return }
            guard status == errSecItemNotFound else { break }
            let added = item(account).merging(attributes) { $1 }
            status = SecItemAdd(added as CFDictionary, nil)
            if status == errSecSuccess { return }
            guard status == errSecDuplicateItem else { break }
        }
        throw .keychain(status, doing: "write", service)
    }

    func remove(_ account: String) throws(StoreError) {
        let status = SecItemDelete(item(account) as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw .keychain(status, doing: "remove", service)
        }
    }

    func accounts() throws(StoreError) -> [String] {
        var query = items
        query[kSecReturnAttributes] = true
        query[kSecMatchLimit] = kSecMatchLimitAll
        var found: CFTypeRef?
        switch SecItemCopyMatching(query as CFDictionary, &found) {
        case errSecSuccess:
            guard let list = found as? [[String: Any]] else {
                throw StoreError(
                    .failed, message: "the keychain returned no list of the items of service \(service)")
            }
            return list.compactMap { $0[kSecAttrAccount as String] as? String }
        case errSecItemNotFound: return []
        case let status: throw .keychain(status, doing: "list", service)
        }
    }

    private var items: [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrSynchronizable: false,
            // On macOS this selects the data protection keychain; other platforms have no other
            // one.
            kSecUseDataProtectionKeychain: true,
        ]
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }

    private func item(_ account: String) -> [CFString: Any] {
        var query = items
        query[kSecAttrAccount] = account
        return query
    }

    private var accessible: CFString {
        switch accessibility {
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .whenUnlocked: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        }
    }
}

extension StoreError {
    fileprivate static func keychain(_ status: OSStatus, doing what: String, _ service: String) -> StoreError {
        let reason = SecCopyErrorMessageString(status, nil) as String? ?? "no reason"
        let message = "could not \(what) in the keychain, service \(service): \(reason) (\(status))"
        return switch status {
        case errSecInteractionNotAllowed:
            StoreError(.unavailable, message: message + "; the device is locked, try again once it is not")
        case errSecNotAvailable, errSecAuthFailed, errSecUserCanceled:
            StoreError(.unavailable, message: message + "; try again later")
        case errSecMissingEntitlement:
            StoreError(.unavailable, message: message + "; sign the app with its identifier and access group")
        case errSecDiskFull: StoreError(.full, message: message + "; make room on the disk")
        case errSecDecode: StoreError(.corrupt, message: message + "; set or remove the name")
        default: StoreError(.failed, message: message)
        }
    }
}
#endif
