#if Encryption
internal import Crypto
internal import Foundation
internal import WharfCore
internal import WharfPrimitives

/// The format of an ``EncryptedKeyValueStore``, version 1.
///
/// A value is the version, then AES-GCM's nonce, ciphertext and tag. The plaintext is the length of
/// the name in four bytes, little-endian, then the name and the value. The version and the stored
/// name are authenticated with it.
struct ValueSeal: Sendable {
    static let prefix = "sealed."
    /// The mark's name. It lacks the prefix, so that it is not listed.
    static let markName = "sealed-key"
    private static let version: UInt8 = 1

    /// A value derived from the key, which identifies the key without disclosing it.
    let mark: [UInt8]
    private let names: SymmetricKey
    private let values: SymmetricKey

    init(_ key: SymmetricKey) {
        func derived(_ purpose: String) -> SymmetricKey {
            // A key for each purpose. A flaw in the use of one does not disclose another.
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Data("Wharf key-value \(purpose) 1".utf8), outputByteCount: 32)
        }
        names = derived("names")
        values = derived("values")
        mark = derived("mark").withUnsafeBytes { Array($0) }
    }

    func storedName(_ name: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(name.utf8), using: names)
        return Self.prefix + Hexadecimal.text(code)
    }

    func sealed(_ name: String, _ value: [UInt8], under stored: String) throws(StoreError) -> [UInt8] {
        var content = Data(capacity: 4 + name.utf8.count + value.count)
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: name.utf8.count).littleEndian) { content.append(contentsOf: $0) }
        content.append(contentsOf: name.utf8)
        content.append(contentsOf: value)
        do {
            // The stored name is authenticated, so a value can't be moved to another name
            // unnoticed.
            let box = try AES.GCM.seal(content, using: values, authenticating: Self.authenticated(stored))
            return [Self.version] + box.nonce + box.ciphertext + box.tag
        } catch {
            throw StoreError(.failed, message: "could not seal the value of \(stored)", cause: error)
        }
    }

    func open(_ bytes: [UInt8], under stored: String) throws(StoreError) -> (name: String, value: [UInt8]) {
        guard bytes.first == Self.version else {
            throw Self.corrupt(stored, bytes.isEmpty ? "no bytes" : "version \(bytes[0])", nil)
        }
        let content: Data
        do {
            let box = try AES.GCM.SealedBox(combined: bytes.dropFirst())
            content = try AES.GCM.open(box, using: values, authenticating: Self.authenticated(stored))
        } catch {
            throw Self.corrupt(
                stored,
                "bytes that this key does not open, because they were changed or moved from another name", error)
        }
        // Authenticated bytes: the length is the one that was written. The check below costs
        // nothing and prevents a trap.
        let head = content.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard content.count >= 4 + head,
            let name = String(validating: content.dropFirst(4).prefix(head), as: UTF8.self),
            storedName(name) == stored
        else { throw Self.corrupt(stored, "the value of another name", nil) }
        return (name, Array(content.dropFirst(4 + head)))
    }

    private static func authenticated(_ stored: String) -> Data { Data([version]) + Data(stored.utf8) }

    private static func corrupt(_ stored: String, _ found: String, _ cause: (any Error)?) -> StoreError {
        StoreError(
            .corrupt,
            message:
                "could not open the value under \(stored), version \(version), with this key: found \(found); set or "
                + "remove its name", cause: cause)
    }
}
#endif
