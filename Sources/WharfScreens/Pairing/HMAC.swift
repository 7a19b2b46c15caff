/// HMAC with SHA-256 (RFC 2104), for any number of messages under one key.
struct HMAC: Sendable {
    private let inner: SHA256
    private let outer: SHA256

    init(key: [UInt8]) {
        let short = key.count > SHA256.blockSize ? SHA256.digest(key) : key
        let padded = short + [UInt8](repeating: 0, count: SHA256.blockSize - short.count)
        var (inner, outer) = (SHA256(), SHA256())
        inner.append(padded.map { $0 ^ 0x36 })
        outer.append(padded.map { $0 ^ 0x5c })
        (self.inner, self.outer) = (inner, outer)
    }

    /// The code of a message, 32 bytes long.
    func code(for message: [UInt8]) -> [UInt8] {
        var (inner, outer) = (inner, outer)
        inner.append(message)
        outer.append(inner.finish())
        return outer.finish()
    }

    /// Whether a code is that of a message. The time does not tell how much of it is right.
    func verifies(_ code: [UInt8], for message: [UInt8]) -> Bool { Self.isSame(code, self.code(for: message)) }

    /// Compares two codes in a time that depends on their lengths alone.
    ///
    /// A comparison that ends at the first difference tells an attacker byte by byte how to forge
    /// one.
    static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The first 32 bytes of PBKDF2 (RFC 8018, section 5.2).
    static func derive(from password: [UInt8], salt: [UInt8], iterations: Int) -> [UInt8] {
        let hmac = HMAC(key: password)
        var last = hmac.code(for: salt + [0, 0, 0, 1])
        var key = last
        for _ in 1..<iterations {
            last = hmac.code(for: last)
            for index in key.indices { key[index] ^= last[index] }
        }
        return key
    }
}
