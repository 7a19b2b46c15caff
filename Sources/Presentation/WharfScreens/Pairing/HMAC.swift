/// HMAC with SHA-256 (RFC 2104) under one key, for any number of messages.
struct HMAC: Sendable {
    private let inner: SHA256
    private let outer: SHA256

    init(key: [UInt8]) {
        // A longer key is hashed first (RFC 2104 §2).
        let short = key.count > SHA256.blockSize ? SHA256.digest(key) : key
        let padded = short + [UInt8](repeating: 0, count: SHA256.blockSize - short.count)
        var (inner, outer) = (SHA256(), SHA256())
        // Both hashes begin with a block of the key alone. It is processed once here and not for
        // each message.
        inner.append(padded.map { $0 ^ 0x36 })
        outer.append(padded.map { $0 ^ 0x5c })
        (self.inner, self.outer) = (inner, outer)
    }

    /// Returns the authentication code of a message, 32 bytes long.
    func code(for message: [UInt8]) -> [UInt8] {
        var (inner, outer) = (inner, outer)
        inner.append(message)
        outer.append(inner.finish())
        return outer.finish()
    }

    /// Returns whether a code belongs to a message, in constant time.
    func verifies(_ code: [UInt8], for message: [UInt8]) -> Bool { Self.isSame(code, self.code(for: message)) }

    /// Compares two codes in a time that depends only on their lengths.
    ///
    /// A comparison that stops at the first difference would let an attacker forge a code byte by
    /// byte.
    static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns the first 32 bytes of PBKDF2 (RFC 8018, section 5.2).
    static func derive(from password: [UInt8], salt: [UInt8], iterations: Int) -> [UInt8] {
        let hmac = HMAC(key: password)
        // Block 1. The 32 bytes of the result are one block of SHA-256, so there is no second one.
        var last = hmac.code(for: salt + [0, 0, 0, 1])
        var key = last
        for _ in 1..<iterations {
            last = hmac.code(for: last)
            for index in key.indices { key[index] ^= last[index] }
        }
        return key
    }
}
