#if Encryption
import Crypto
import Foundation
import Synchronization
import Testing
import WharfCache
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStorage
import WharfStores

struct EncryptedCacheStoreTests {
    private static let key = SymmetricKey(data: [UInt8](repeating: 1, count: 32))
    private static let address = CacheKey(
        account: Account("alice"), target: "https://bank.test/accounts/secret-number?token=hidden")

    private let base = MemoryCacheStore()
    private let incidents = Incidents()

    private func store(_ key: SymmetricKey = key, over base: MemoryCacheStore? = nil) -> EncryptedCacheStore {
        EncryptedCacheStore(base ?? self.base, key: { key }, onIncident: { incidents.add($0) })
    }

    private static func head(_ tag: String) -> StoredHead {
        StoredHead(
            response: HTTPResponse(status: .ok, headerFields: [.eTag: tag, .setCookie: "session=cookie-value"]),
            varying: [.acceptLanguage: "a-rare-language"], requestedAt: WallTime(nanoseconds: 1_000_000_007),
            respondedAt: WallTime(nanoseconds: 2_000_000_009))
    }

    /// Bytes in which no two places look alike.
    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    }

    private func put(
        _ body: [UInt8], _ store: any CacheStore, _ key: CacheKey = address, _ head: StoredHead = head("v1")
    ) async throws {
        let writer = try await store.begin(key, head)
        for start in stride(from: 0, to: body.count, by: 50_000) {
            try await writer.append(Array(body[start..<min(start + 50_000, body.count)]))
        }
        _ = try await writer.commit()
    }

    private func read(
        _ store: any CacheStore, _ key: CacheKey = address, part: ClosedRange<Int64>? = nil
    ) async throws -> [UInt8]? {
        try await store.lookup(key) { $0.first.map { CacheSelection(id: $0.id, part: part) } }.body?.collect()
    }

    /// Returns the only entry of the other store, with its body.
    private func sealed() async throws -> (entry: CacheEntry, body: [UInt8]) {
        let entry = try #require(try await base.entries(usedBefore: nil, limit: 2).first)
        return (entry, try #require(try await base.body(of: entry)?.collect()))
    }

    @Test(arguments: CacheStoreLaws.all)
    func keeps(law: Law<CacheStoreLaws.Subject>) async throws {
        try await law.check(
            .init("EncryptedCacheStore") { limit in
                EncryptedCacheStore(MemoryCacheStore(byteLimit: limit), key: { Self.key }, onIncident: { _ in })
            })
    }

    /// The cache stores them as a part.
    @Test func cancelledAppendLeavesTheBytesBefore() async throws {
        let bytes = Self.bytes(100_000)
        let writer = try await store().begin(Self.address, Self.head("v1"))
        try await writer.append(bytes)
        let append = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: StoreError.self) { try await writer.append(bytes) }
        }
        await append.value
        _ = try await writer.commit()
        #expect(try await read(store()) == bytes)
    }

    @Test func otherStoreSeesNoText() async throws {
        try await put(Array("a balance of 1,000".utf8), store())
        let (entry, body) = try await sealed()
        let shown = "\(entry)"
        for text in [
            "alice", "bank.test", "secret-number", "hidden", "v1", "session", "cookie-value", "rare", "1000000007",
            "2000000009",
        ] {
            #expect(!shown.contains(text), "\(text) stands in \(shown)")
        }
        #expect(!Data(body).contains(Array("balance".utf8)))
        #expect(try await read(store()) == Array("a balance of 1,000".utf8))
        #expect(incidents.messages == [])
    }

    @Test func siteIsSealedUnderAnotherNameForEachTarget() async throws {
        let store = store()
        let site = TopLevelSite("https://news.test")
        for target in ["https://bank.test/a", "https://bank.test/b"] {
            try await put([1], store, CacheKey(topLevelSite: site, target: target))
        }
        let entries = try await base.entries(usedBefore: nil, limit: 10)
        #expect(Set(entries.map(\.key.topLevelSite)).count == 2)
        #expect(!"\(entries)".contains("news.test"))
    }

    @Test func responseMovedToAnotherSiteIsDroppedAndReported() async throws {
        let store = store()
        let here = CacheKey(topLevelSite: TopLevelSite("https://news.test"), target: "https://bank.test/a")
        let there = CacheKey(topLevelSite: TopLevelSite("https://shop.test"), target: here.target)
        try await put([1], store, here)
        let (entry, body) = try await sealed()
        try await put([2], store, there)
        let other = try #require(try await base.entries(usedBefore: nil, limit: 1).first)
        try await put(body, base, other.key, entry.head)
        #expect(try await read(store, there) == nil)
        #expect(incidents.codes == [.entryDropped])
    }

    @Test func sameResponseIsSealedDifferentlyEachTime() async throws {
        try await put([1, 2, 3], store())
        let first = try await sealed()
        try await put([1, 2, 3], store())
        let second = try await sealed()
        #expect(first.body != second.body)
        #expect(first.entry.head != second.entry.head)
        #expect(first.entry.key == second.entry.key)
    }

    /// Pieces have 64 KB: none, one, a whole one, two, and three.
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 150_000])
    func bodyAndItsPartsComeBack(count: Int) async throws {
        let (body, store) = (Self.bytes(count), store())
        try await put(body, store)
        #expect(try await read(store) == body)
        let found = try await store.lookup(Self.address) { _ in nil }
        #expect(found.variants.map(\.length) == [Int64(count)])
        #expect(found.variants.map(\.head) == [Self.head("v1")])
        let edges = [0, 1, 65_535, 65_536, 65_537, 131_071, 131_072, count - 1, count, count + 5].filter { $0 >= 0 }
        for first in edges {
            for last in edges where last >= first {
                let expected = Array(body.dropFirst(first).prefix(last - first + 1))
                #expect(try await read(store, part: Int64(first)...Int64(last)) == expected, "\(first)-\(last)")
            }
        }
        #expect(incidents.messages == [])
    }

    @Test func anotherKeyIsAMissAndReportedOnce() async throws {
        try await put([1], store())
        let other = store(SymmetricKey(data: [UInt8](repeating: 7, count: 32)))
        for _ in 0..<2 { #expect(try await other.lookup(Self.address) { _ in nil }.variants.isEmpty) }
        #expect(incidents.codes == [.entryDropped])
        try await put([2], other)
        #expect(try await read(other) == [2])
        #expect(try await read(store()) == [1])
        try await other.removeAll(of: Account("alice"))
        #expect(try await read(other) == nil)
        #expect(try await read(store()) == [1])
    }

    @Test func unavailableKeyIsAskedForAgain() async throws {
        let asked = Mutex(0)
        let store = EncryptedCacheStore(
            base,
            key: {
                let count = asked.withLock { count in
                    count += 1
                    return count
                }
                if count == 1 { throw Locked() }
                return Self.key
            }, onIncident: { incidents.add($0) })
        let error = await #expect(throws: StoreError.self) { try await read(store) }
        #expect(error?.code == .unavailable)
        try await put([1], store)
        #expect(try await read(store) == [1])
        #expect(asked.withLock { $0 } == 2)
    }

    @Test func eachChangedByteOfAShortBodyIsAMiss() async throws {
        let store = store()
        try await put([1, 2, 3], store)
        let (entry, body) = try await sealed()
        for index in body.indices {
            var changed = body
            changed[index] ^= 0x40
            try await put(changed, base, entry.key, entry.head)
            #expect(try await read(store) == nil, "byte \(index)")
            #expect(try await base.entries(usedBefore: nil, limit: 1).isEmpty, "it was not removed")
        }
        try await put([], base, entry.key, entry.head)
        #expect(try await read(store) == nil)
        #expect(Set(incidents.codes) == [.entryDropped])
        #expect(incidents.codes.count == body.count + 1)
        #expect(incidents.messages.allSatisfy { $0.contains("secret-number") && !$0.contains("hidden") })
    }

    @Test func eachChangedCharacterOfAHeadIsAMiss() async throws {
        let store = store()
        try await put([1, 2, 3], store)
        let (entry, body) = try await sealed()
        let field = try #require(entry.head.response.headerFields.first)
        for index in field.value.indices where field.value[index] != "=" {
            var value = field.value
            value.replaceSubrange(index...index, with: value[index] == "A" ? "B" : "A")
            var head = entry.head
            head.response.headerFields[field.name] = value
            try await put(body, base, entry.key, head)
            let found = try await store.lookup(Self.address) { _ in nil }
            // The last character of base64 may have bits without a meaning.
            #expect(found.variants.isEmpty || found.variants.map(\.head) == [Self.head("v1")], "\(value)")
        }
    }

    /// Pieces that are moved, repeated, or left out are not served.
    @Test(arguments: [[0, 2, 1], [1, 0, 2], [0, 0, 2], [0, 1], [0], [2], [1, 2], [0, 1, 2, 2]])
    func otherOrderOfPiecesIsNotServed(order: [Int]) async throws {
        let (body, store) = (Self.bytes(150_000), store())
        try await put(body, store)
        let (entry, sealed) = try await sealed()
        let size = 65_536 + 16
        let pieces = stride(from: 0, to: sealed.count, by: size).map {
            Array(sealed[$0..<min($0 + size, sealed.count)])
        }
        try await put(order.flatMap { pieces[$0] }, base, entry.key, entry.head)
        var delivered: [UInt8] = []
        do {
            let found = try await store.lookup(Self.address) { $0.first.map { CacheSelection(id: $0.id) } }
            if let stream = found.body {
                for try await piece in stream { delivered += piece }
                Issue.record("\(delivered.count) bytes looked complete")
            }
        } catch {
            #expect((error as? TransportError)?.code == .connectionLost)
        }
        #expect(body.starts(with: delivered))
        #expect(try await base.entries(usedBefore: nil, limit: 1).isEmpty, "it was not removed")
        #expect(incidents.codes == [.entryDropped])
    }

    @Test func responseOfAnotherTargetIsAMiss() async throws {
        let store = store()
        try await put([1], store, CacheKey(target: "https://bank.test/b"))
        let (entry, body) = try await sealed()
        try await store.removeAll(of: nil)
        try await put([2], store)
        let name = try await self.sealed().entry.key
        try await store.removeAll(of: Account("alice"))
        try await put(body, base, name, entry.head)
        #expect(try await read(store) == nil)
        #expect(incidents.codes == [.entryDropped])
    }

    @Test func headIsReplacedAndTheBodyStays() async throws {
        let (body, store) = (Self.bytes(70_000), store())
        try await put(body, store)
        let id = try #require(try await store.lookup(Self.address) { _ in nil }.variants.first?.id)
        try await store.update(id, under: Self.address, to: Self.head("v2"))
        #expect(try await store.lookup(Self.address) { _ in nil }.variants.map(\.head) == [Self.head("v2")])
        #expect(try await read(store) == body)
    }
}

private struct Locked: Error {}

/// The incidents of a test.
private final class Incidents: Sendable {
    private let all = Mutex<[Incident]>([])

    func add(_ incident: Incident) { all.withLock { $0.append(incident) } }

    var codes: [Incident.Code] { all.withLock { $0.map(\.code) } }
    var messages: [String] { all.withLock { $0.map(\.message) } }
}
#endif
