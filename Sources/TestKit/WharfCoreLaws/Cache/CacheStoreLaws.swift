internal import Synchronization
public import WharfChecks
internal import WharfCore
public import WharfStorage

/// The laws of ``CacheStore``, in memory or on disk.
///
/// ```swift
/// @Test(arguments: CacheStoreLaws.all)
/// func memoryKeeps(law: Law<CacheStoreLaws.Subject>) async throws {
///     try await law.check(.init("MemoryCacheStore") { limit in MemoryCacheStore(byteLimit: limit) })
/// }
/// ```
public enum CacheStoreLaws {
    /// A kind of store, as a closure that makes one.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        let make: @Sendable (Int) async throws -> any CacheStore
        let reopen: (@Sendable (any CacheStore) async throws -> any CacheStore)?

        /// Creates a kind of store.
        ///
        /// - Parameters:
        ///   - name: the name in the message of a violation.
        ///   - reopen: closes a store and opens the same data again; nil for a store that is not
        ///     durable.
        ///   - make: makes an empty store with a byte limit. It is called at least once per law.
        public init(
            _ name: String = "the store",
            reopen: (@Sendable (any CacheStore) async throws -> any CacheStore)? = nil,
            _ make: @escaping @Sendable (_ byteLimit: Int) async throws -> any CacheStore
        ) {
            self.description = name
            self.reopen = reopen
            self.make = make
        }

        /// Makes a store that is large enough for all laws.
        func roomy() async throws -> any CacheStore { try await make(64 << 20) }
    }

    /// All laws.
    public static let all: [Law<Subject>] =
        visibility + bodies + parts + variants + removal + limits + durability + inspection
}

// MARK: What the laws are written in

extension CacheStoreLaws {
    static let key = CacheKey(target: "https://example.com/a")

    /// Returns a head whose ETag identifies the response.
    static func head(_ label: String, varying: HTTPFields = [:]) -> StoredHead {
        StoredHead(
            response: HTTPResponse(status: .ok, headerFields: [.eTag: label, .contentType: "text/plain"]),
            varying: varying, requestedAt: WallTime(nanoseconds: 1_000_000_007),
            respondedAt: WallTime(nanoseconds: 2_000_000_009)
        )
    }

    /// Returns bytes that differ from place to place.
    ///
    /// A missing, repeated or moved piece is therefore detected.
    static func pattern(_ count: Int, seed: UInt8 = 1) -> [UInt8] {
        patterns.withLock { patterns in
            if let known = patterns[seed], known.count >= count { return Array(known.prefix(count)) }
            var value = UInt32(seed) &* 2_654_435_761 | 1
            let made = (0..<max(count, 40_000)).map { _ in
                value = value &* 1_664_525 &+ 1_013_904_223
                return UInt8(truncatingIfNeeded: value >> 24)
            }
            patterns[seed] = made
            return Array(made.prefix(count))
        }
    }

    /// The longest pattern per seed, since the laws request patterns again and again.
    private static let patterns = Mutex<[UInt8: [UInt8]]>([:])

    @discardableResult
    static func put(
        _ store: any CacheStore, _ key: CacheKey, _ head: StoredHead, _ body: [UInt8], inPiecesOf size: Int = .max
    ) async throws -> StoredResponse.ID {
        let writer = try await store.begin(key, head)
        var rest = body[...]
        while !rest.isEmpty {
            try await writer.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return try await writer.commit()
    }

    @discardableResult
    static func put(
        _ store: any CacheStore, _ head: StoredHead, _ body: [UInt8], inPiecesOf size: Int = .max
    ) async throws -> StoredResponse.ID {
        try await put(store, key, head, body, inPiecesOf: size)
    }

    static func variants(_ store: any CacheStore, _ key: CacheKey = key) async throws -> [StoredResponse] {
        try await store.lookup(key) { _ in nil }.variants
    }

    static func labels(_ store: any CacheStore, _ key: CacheKey = key) async throws -> [String] {
        try await variants(store, key).map { $0.head.response.headerFields[.eTag] ?? "" }
    }

    /// Ends the law if the variants differ from these, the newest first.
    static func requireLabels(
        _ store: any CacheStore, _ key: CacheKey = key, are expected: [String], _ whatHappened: String
    ) async throws {
        let found = try await labels(store, key)
        try require(found == expected, "\(whatHappened): expected \(expected), found \(found)")
    }

    /// Returns the body of the newest variant.
    static func newestBody(_ store: any CacheStore, _ key: CacheKey = key) async throws -> [UInt8]? {
        try await store.lookup(key) { $0.first.map { CacheSelection(id: $0.id) } }.body?.collect()
    }

    static func body(_ store: any CacheStore, _ id: StoredResponse.ID, _ key: CacheKey = key) async throws -> [UInt8]? {
        try await store.lookup(key) { _ in CacheSelection(id: id) }.body?.collect()
    }

    /// Returns the error that `work` throws, or nil.
    static func refusal(_ work: () async throws -> Void) async -> (any Error)? {
        do {
            try await work()
            return nil
        } catch {
            return error
        }
    }
}
