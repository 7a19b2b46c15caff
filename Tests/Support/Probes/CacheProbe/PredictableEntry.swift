import WharfCore
import WharfRandom
import WharfStorage

/// An entry that differs from every other entry and from every mixture. Key and serial are in head
/// and body, and determine the rest of the body.
struct PredictableEntry: Equatable {
    static let keyCount = 40

    let key: Int
    let serial: UInt64

    var cacheKey: CacheKey { CacheKey(target: Self.target(key)) }

    static func target(_ key: Int) -> String { "https://probe.test/entries/\(key)" }

    var head: StoredHead {
        StoredHead(
            response: HTTPResponse(status: .ok, headerFields: [.eTag: "\(key)/\(serial)"]),
            requestedAt: WallTime(nanoseconds: Int64(serial)), respondedAt: WallTime(nanoseconds: Int64(serial) + 1)
        )
    }

    /// Longer bodies have files of their own.
    static let rowLimit = 20_000

    /// Between 100 bytes and 150 KB. Some fit in a page, others need overflow pages, and the
    /// longest are files of one piece or several.
    var body: [UInt8] {
        var random = SeededGenerator(seed: serial &* 1_000_003 &+ UInt64(key))
        let sizes = [100, 2_000, 2_000, 9_000, 60_000, 150_000]
        let count = sizes[Int(random.next() % 6)] + Int(random.next() % 100)
        let words = (0..<count / 8).map { _ in random.next() }
        return Array("\(key)/\(serial)\n".utf8) + words.withUnsafeBytes(Array.init)
    }

    /// The entry of a head, if the head is complete.
    init?(_ found: StoredHead) {
        let parts = (found.response.headerFields[.eTag] ?? "").split(separator: "/")
        guard parts.count == 2, let key = Int(parts[0]), let serial = UInt64(parts[1]) else { return nil }
        self.init(key: key, serial: serial)
        guard found == head else { return nil }
    }

    init(key: Int, serial: UInt64) {
        self.key = key
        self.serial = serial
    }

    /// Appends in pieces, and commits.
    func keep(in store: any CacheStore) async throws {
        let writer = try await store.begin(cacheKey, head)
        let body = body
        let third = body.count / 3
        try await writer.append(Array(body[..<third]))
        try await writer.append(Array(body[third..<(2 * third)]))
        try await writer.append(Array(body[(2 * third)...]))
        _ = try await writer.commit()
    }

    /// Returns the entry under a key, verified byte for byte, or nil if there is none.
    ///
    /// - Throws: ``WrongBody`` if the content was never written.
    static func read(_ key: Int, from store: any CacheStore) async throws -> PredictableEntry? {
        let found = try await store.lookup(CacheKey(target: target(key))) { $0.first.map { CacheSelection(id: $0.id) } }
        guard found.variants.count <= 1 else { throw WrongBody(what: "\(found.variants.count) variants of key \(key)") }
        guard let variant = found.variants.first else { return nil }
        guard let entry = PredictableEntry(variant.head), entry.key == key else {
            throw WrongBody(what: "a wrong head under key \(key): \(variant.head)")
        }
        guard let body = try await found.body?.collect(), body == entry.body else {
            throw WrongBody(what: "a wrong body under key \(key), serial \(entry.serial)")
        }
        return entry
    }
}

struct WrongBody: Error, CustomStringConvertible {
    let what: String
    var description: String { "wrong: \(what)" }
}
