import Synchronization
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfStorage

/// The part of a stored body that the cache asks its store for.
@Suite struct SelectedPartTests {
    private let fields: HTTPFields = [
        .cacheControl: "max-age=60", .eTag: "\"1\"", .lastModified: date(-100), .date: date(),
    ]

    @Test func storeReadsTheRequestedRangeAlone() async throws {
        let store = SelectingStore()
        let text = String(repeating: "0123456789", count: 100_000)
        let rig = Rig(store: store, .ok(text, fields: fields))
        try await rig.read()
        let (part, body) = try await rig.read(get([.range: "bytes=900001-900004"]))
        #expect(part.head.status == .partialContent && body == "1234")
        #expect(part.head.headerFields[.contentRange] == "bytes 900001-900004/1000000")
        #expect(part.body.expectedLength == 4)
        #expect(store.parts == [900_001...900_004])
    }

    @Test(
        arguments: [
            ("bytes=10-", nil, 10...10), ("bytes=0-", nil, 0...9), ("bytes=-3", nil, 7...9), ("bytes=2-99", nil, 2...9),
            ("bytes=0-1", "\"2\"", nil), ("bytes=0-1", "\"1\"", 0...1),
        ] as [(String, String?, ClosedRange<Int64>?)])
    func selectedPartFollowsRangeAndCondition(
        range: String, condition: String?, part: ClosedRange<Int64>?
    ) async throws {
        let store = SelectingStore()
        let rig = Rig(store: store, .ok("0123456789", fields: fields))
        try await rig.read()
        var request: HTTPFields = [.range: range]
        request[.ifRange] = condition
        let (answer, text) = try await rig.read(get(request))
        #expect(store.parts == [part])
        let expected = part.map { $0.filter { $0 < 10 }.map { "\($0)" }.joined() } ?? "0123456789"
        #expect(text == expected)
        #expect(answer.head.headerFields[.contentLength] == (part == nil ? nil : String(expected.utf8.count)))
        #expect(rig.origin.requests.count == 1)
    }

    /// RFC 9110 §12.5.3. A client that refuses the coding would take the bytes for decoded ones.
    @Test(
        arguments: [
            ("gzip", "gzip", true), ("gzip", "GZIP;q=0.5", true), ("gzip", "*", true), ("gzip", nil, false),
            ("gzip", "identity", false), ("gzip", "identity;q=1, *;q=0", false), ("gzip", "identity, *;q=0", false),
            ("gzip", "gzip;q=0", false), ("gzip", "gzip;q=0, *", false), ("gzip", "br", false),
            ("gzip, br", "gzip", false), ("gzip, br", "gzip, br", true),
        ] as [(String, String?, Bool)])
    func rangeOfEncodedBytesIsForAClientThatAcceptsTheirCodings(
        codings: String, accepted: String?, isPart: Bool
    ) async throws {
        var encoded = fields
        encoded[.contentEncoding] = codings
        var request: HTTPFields = [.range: "bytes=0-3"]
        request[.acceptEncoding] = accepted
        let whole = Rig(.ok("0123456789", fields: encoded))
        try await whole.read()
        let answer = try await whole.read(get(request)).response
        #expect(answer.head.status == (isPart ? .partialContent : .ok))
        (encoded[.contentRange], encoded[.contentLength]) = ("bytes 0-3/10", "4")
        // The same for a stored part.
        let part = Rig(.respond(.partialContent, fields: encoded, "0123"), .ok("0123456789"))
        try await part.read(get([.range: "bytes=0-3"]))
        try await part.read(get(request))
        #expect(part.origin.requests.count == (isPart ? 1 : 2))
    }

    @Test func partOfTheStoredVersionIsServedUnderItsConfirmedHead() async throws {
        // The 304 gives the same version another date. `If-Range` named the stored one.
        let rig = Rig(
            .ok("0123456789", fields: fields),
            .respond(.notModified, fields: [.cacheControl: "max-age=60", .lastModified: date(-50)]))
        try await rig.read()
        rig.clock.advance(by: .seconds(61))
        let (part, text) = try await rig.read(get([.range: "bytes=2-3", .ifRange: date(-100)]))
        #expect(part.head.status == .partialContent && text == "23")
        #expect(part.head.headerFields[.contentRange] == "bytes 2-3/10")
        #expect(rig.origin.requests.count == 2)
    }

    /// Records the part of each selection.
    private final class SelectingStore: CacheStore {
        private let base = MemoryCacheStore()
        private let selected = Mutex<[ClosedRange<Int64>?]>([])

        var parts: [ClosedRange<Int64>?] { selected.withLock { $0 } }

        func lookup(
            _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
        ) async throws(StoreError) -> CacheLookup {
            try await base.lookup(key) { variants in
                let selection = select(variants)
                if let selection { selected.withLock { $0.append(selection.part) } }
                return selection
            }
        }

        func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
            try await base.begin(key, head)
        }

        func update(
            _ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead
        ) async throws(StoreError) { try await base.update(id, under: key, to: head) }

        func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
            try await base.remove(id, under: key)
        }

        func removeAll(under key: CacheKey) async throws(StoreError) { try await base.removeAll(under: key) }
        func removeAll(of account: Account?) async throws(StoreError) { try await base.removeAll(of: account) }
    }
}
