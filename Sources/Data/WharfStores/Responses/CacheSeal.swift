#if Encryption
internal import Crypto
internal import Foundation
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// A response of an ``EncryptedCacheStore`` whose head is opened.
struct OpenedResponse: Sendable {
    /// The response as the reader sees it.
    let plain: StoredResponse
    let body: BodyCipher
    let sealedLength: Int64
}

/// The names and heads of an ``EncryptedCacheStore``, version 1.
///
/// A sealed head is a 200 with one field, which holds the fingerprint of the key and, in base64,
/// AES-GCM's nonce, ciphertext and tag. The version and the sealed name are authenticated with it.
/// A second field tells the variants of one target apart.
struct CacheSeal: Sendable {
    private static let version: UInt8 = 1
    private static let sealedHead = HTTPField.Name("wharf-sealed")!
    private static let sealedVarying = HTTPField.Name("wharf-varying")!

    let bodies: SymmetricKey
    private let names: SymmetricKey
    private let heads: SymmetricKey
    /// Identifies the key without disclosing it.
    private let fingerprint: String

    init(_ key: SymmetricKey) {
        func derived(_ purpose: String) -> SymmetricKey {
            // A key for each purpose. A flaw in the use of one does not disclose another.
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Data("Wharf cache \(purpose) 1".utf8), outputByteCount: 32)
        }
        names = derived("names")
        heads = derived("heads")
        bodies = derived("bodies")
        fingerprint = derived("fingerprint").withUnsafeBytes { Hexadecimal.text($0.prefix(8)) }
    }

    // MARK: Names

    func name(_ key: CacheKey) -> CacheKey {
        // The account is optional, so it comes last.
        let texts = [key.method, key.target] + (key.account.map { [$0.name] } ?? [])
        return CacheKey(
            account: key.account.map(name),
            // With the target, so that the other store does not show which responses are of one
            // site.
            topLevelSite: key.topLevelSite.map { TopLevelSite(code("site", [$0.name] + texts)) }, method: "GET",
            target: code("target", texts))
    }

    func name(_ account: Account) -> Account { Account(code("account", [account.name])) }

    /// Returns a code of a list of texts. Their lengths are part of it, so no two lists are joined
    /// to one text.
    private func code(_ purpose: String, _ texts: [String]) -> String {
        var writer = ByteWriter(version: Self.version)
        for text in [purpose] + texts { writer.put(counted: text.utf8) }
        return Hexadecimal.text(HMAC<SHA256>.authenticationCode(for: writer.bytes, using: names))
    }

    // MARK: Heads

    /// The sealed name that is authenticated with a head. Its codes have one length, so no two
    /// names are joined to one text.
    private static func place(_ name: CacheKey) -> Data {
        Data((name.target + (name.topLevelSite?.name ?? "")).utf8)
    }

    func hasSealed(_ head: StoredHead) -> Bool {
        head.response.headerFields[Self.sealedHead]?.hasPrefix(fingerprint) ?? false
    }

    func sealed(_ head: StoredHead, _ salt: [UInt8], under name: CacheKey) throws(StoreError) -> StoredHead {
        var writer = ByteWriter(version: Self.version)
        writer.put(head.requestedAt.nanoseconds)
        writer.put(head.respondedAt.nanoseconds)
        writer.put(Int64(head.response.status.code))
        writer.put(counted: head.response.status.reasonPhrase.utf8)
        writer.put(head.response.headerFields)
        writer.put(head.varying)
        writer.put(counted: salt)
        let text: String
        do {
            let box = try AES.GCM.seal(writer.bytes, using: heads, authenticating: Self.place(name))
            text = (Data(box.nonce) + box.ciphertext + box.tag).base64EncodedString()
        } catch {
            throw StoreError(.failed, message: "could not seal the head of a response: \(error)", cause: error)
        }
        // Values of one name keep their order. Names are sorted, because their order has none.
        let varying = head.varying.enumerated().sorted {
            ($0.element.name.canonicalName, $0.offset) < ($1.element.name.canonicalName, $1.offset)
        }
        // An empty list stays empty: stores may keep a single variant in a simpler way.
        let distinction =
            varying.isEmpty
            ? [:]
            : HTTPFields([
                HTTPField(
                    name: Self.sealedVarying,
                    value: code("varying", varying.flatMap { [$0.element.name.canonicalName, $0.element.value] }))
            ])
        return StoredHead(
            response: HTTPResponse(status: .ok, headerFields: [Self.sealedHead: fingerprint + " " + text]),
            varying: distinction, requestedAt: .unixEpoch, respondedAt: .unixEpoch)
    }

    /// Returns nil if the head was changed, moved, or sealed with another key.
    func open(_ response: StoredResponse, under name: CacheKey) -> OpenedResponse? {
        guard let value = response.head.response.headerFields[Self.sealedHead], value.hasPrefix(fingerprint + " "),
            let sealed = Data(base64Encoded: String(value.dropFirst(fingerprint.count + 1))),
            let box = try? AES.GCM.SealedBox(combined: sealed),
            let content = try? AES.GCM.open(box, using: heads, authenticating: Self.place(name)),
            var reader = ByteReader([UInt8](content), version: Self.version),
            let requestedAt = reader.word(), let respondedAt = reader.word(),
            let status = reader.word(), (0...999).contains(status), let reason = reader.text(),
            let fields = reader.fields(), let varying = reader.fields(), let salt = reader.counted(), reader.isAtEnd,
            let length = BodyCipher.plainLength(ofSealed: response.length)
        else { return nil }
        let head = StoredHead(
            response: HTTPResponse(status: .init(code: Int(status), reasonPhrase: reason), headerFields: fields),
            varying: varying, requestedAt: WallTime(nanoseconds: requestedAt),
            respondedAt: WallTime(nanoseconds: respondedAt))
        return OpenedResponse(
            plain: StoredResponse(id: response.id, head: head, length: length),
            body: BodyCipher(salt: Array(salt), of: self), sealedLength: response.length)
    }
}

extension WallTime {
    /// The time of a sealed head, which tells none.
    fileprivate static let unixEpoch = WallTime(nanoseconds: 0)
}

extension ByteWriter {
    fileprivate mutating func put(_ fields: HTTPFields) {
        put(Int64(fields.count))
        for field in fields {
            put(counted: field.name.rawName.utf8)
            field.withUnsafeBytesOfValue { put(counted: $0) }
        }
    }
}

extension ByteReader {
    fileprivate mutating func fields() -> HTTPFields? {
        guard let count = word() else { return nil }
        var fields = HTTPFields()
        var rest = count
        while rest > 0 {
            guard let name = text().flatMap({ HTTPField.Name($0) }), let value = counted() else { return nil }
            fields.append(HTTPField(name: name, lenientValue: value))
            rest -= 1
        }
        return fields
    }
}
#endif
