import Synchronization
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfStorage

@Suite struct StoringTests {
    private let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]

    @Test func bodyIsCommittedBeforeItsReaderGetsTheLastAnnouncedByte() async throws {
        let rig = Rig(StubAnswer(head: HTTPResponse(status: .ok, headerFields: fields), chunks: [[1], [2]]))
        let body = try await rig.cache.send(get()).body
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next() == [1])
        #expect(try await rig.kept() == nil)
        #expect(try await iterator.next() == [2])
        #expect(try await rig.kept() == "\u{1}\u{2}")
        #expect(try await iterator.next() == nil)
    }

    @Test func abandonedBodyIsNotStored() async throws {
        let rig = Rig(StubAnswer(head: HTTPResponse(status: .ok, headerFields: fields), chunks: [[1], [2]]))
        do {
            var iterator = try await rig.cache.send(get()).body.makeAsyncIterator()
            #expect(try await iterator.next() == [1])
        }
        #expect(try await rig.kept() == nil)
        #expect(rig.incidents.codes.isEmpty)
    }

    @Test(arguments: ["3", "1"])
    func aBodyOfAnotherLengthThanAnnouncedIsNotKept(length: String) async throws {
        var fields = fields
        fields[.contentLength] = length
        let answer = StubAnswer(head: HTTPResponse(status: .ok, headerFields: fields), chunks: [[1], [2]])
        let rig = Rig(.ok("kept", fields: [.cacheControl: "max-age=1"]), answer, answer)
        #expect(await code { _ = try await rig.text(get(path: "/other")) } == nil)
        #expect(await code { _ = try await rig.text() } == .connectionLost)
        #expect(try await rig.kept() == nil)
    }

    @Test func brokenLongRefreshFailsItsReaderAndKeepsTheOldAnswer() async throws {
        let piece = [UInt8](repeating: 1, count: 400_000)
        let rig = Rig(.ok("kept", fields: fields), .broken([piece, piece, piece, piece], fields: fields))
        try await rig.read()
        let response = try await rig.cache.send(get(cache: .reload))
        #expect(response.provenance.source == .network)
        #expect(await code { _ = try await response.body.collect() } == .connectionLost)
        #expect(try await rig.kept() == "kept")
    }

    @Test func longRefreshIsStreamedAndReplacesTheOldAnswer() async throws {
        let piece = [UInt8](repeating: 0x61, count: 400_000)
        let rig = Rig(
            .ok("kept", fields: fields),
            StubAnswer(
                head: HTTPResponse(status: .ok, headerFields: fields), chunks: [piece, piece, piece, piece]
            ), .ok("short", fields: fields)
        )
        try await rig.read()
        #expect(try await rig.text(get(cache: .reload)).utf8.count == 1_600_000)
        #expect(try await rig.kept()?.utf8.count == 1_600_000)
        // A short body is complete and stored before its head is returned.
        let short = try await rig.cache.send(get(cache: .reload))
        #expect(try await rig.kept() == "short")
        #expect(String(decoding: try await short.body.collect(), as: UTF8.self) == "short")
    }

    @Test func serverFailureNeverReplacesTheKeptAnswer() async throws {
        let rig = Rig(
            .ok("kept", fields: [.cacheControl: "max-age=1, must-revalidate", .eTag: "\"1\""]),
            .respond(.serviceUnavailable, fields: fields, "down"), .respond(.notModified)
        )
        try await rig.read()
        rig.clock.advance(by: .seconds(5))
        #expect(try await rig.read().response.head.status == .serviceUnavailable, "must-revalidate beats the fallback")
        let confirmed = try await rig.read()
        #expect(confirmed.text == "kept" && confirmed.response.provenance.source == .revalidated)
    }

    @Test func removedAnswerIsNotServedWhenTheNetworkFails() async throws {
        let rig = Rig(
            .ok("kept", fields: [.cacheControl: "max-age=1"]), .respond(.notFound, fields: [.cacheControl: "no-store"]),
            .failure(.offline))
        try await rig.read()
        rig.clock.advance(by: .seconds(5))
        #expect(try await rig.read().response.head.status == .notFound)
        #expect(await code { try await rig.read() } == .offline)
    }

    @Test func cancellationIsNotAnsweredFromTheCache() async throws {
        let rig = Rig(
            .ok("kept", fields: [.cacheControl: "max-age=1"]), .failure(TransportError.Code.cancelled),
            .failure(.invalidRequest))
        try await rig.read()
        rig.clock.advance(by: .seconds(5))
        #expect(await code { try await rig.read() } == .cancelled)
        #expect(await code { try await rig.read() } == .invalidRequest)
    }

    @Test func aStoreThatFailsIsReportedAndDoesNotFailTheRead() async throws {
        for fault in BrokenStore.Fault.allCases {
            let rig = Rig(store: BrokenStore(fault), .ok("hello", fields: fields), .ok("hello", fields: fields))
            #expect(try await rig.text() == "hello", "\(fault)")
            #expect(try await rig.text(get(cache: .reload)) == "hello", "\(fault)")
            #expect(Set(rig.incidents.codes) == [.storeFailed], "\(fault)")
        }
        let rig = Rig(store: BrokenStore(.lookup))
        #expect(await code { try await rig.read(get(cache: .storedOnly)) } == .nothingKept)
    }

    @Test func aStoreThatFailsAfterABrokenBodyIsReported() async throws {
        var fields = fields
        fields[.contentLength] = "30000"
        for fault in [BrokenStore.Fault.lookup, .commit] {
            let broken = StubAnswer.broken([[UInt8](repeating: 1, count: 20_000)], fields: fields)
            let rig = Rig(store: BrokenStore(fault), broken)
            #expect(await code { try await rig.read() } == .connectionLost, "\(fault)")
            #expect(Set(rig.incidents.codes) == [.storeFailed], "\(fault)")
            #expect(rig.events.lines.last == "notStored storeFailed", "\(fault)")
        }
    }

    @Test func readContinuesWhenTheStoreFillsUpInMidBody() async throws {
        let rig = Rig(
            store: MemoryCacheStore(byteLimit: 2_000),
            StubAnswer(
                head: HTTPResponse(status: .ok, headerFields: fields),
                chunks: [[UInt8](repeating: 1, count: 1_000), [UInt8](repeating: 2, count: 1_000)]
            )
        )
        #expect(try await rig.text().utf8.count == 2_000)
        #expect(rig.incidents.codes == [.notKept])
        #expect(try await rig.kept() == nil)
    }
}

/// A store in which one operation fails.
private struct BrokenStore: CacheStore {
    enum Fault: CaseIterable { case lookup, begin, append, commit }

    let fault: Fault
    private let base = MemoryCacheStore()

    init(_ fault: Fault) { self.fault = fault }

    private func fail(_ now: Fault) throws(StoreError) {
        if fault == now { throw StoreError(.full, message: "scripted") }
    }

    func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup {
        try fail(.lookup)
        return try await base.lookup(key, select: select)
    }

    func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        try fail(.begin)
        return Writer(base: try await base.begin(key, head), store: self)
    }

    func update(_ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead) async throws(StoreError) {
        try await base.update(id, under: key, to: head)
    }

    func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
        try await base.remove(id, under: key)
    }

    func removeAll(under key: CacheKey) async throws(StoreError) { try await base.removeAll(under: key) }
    func removeAll(of account: Account?) async throws(StoreError) { try await base.removeAll(of: account) }

    private struct Writer: CacheWriter {
        let base: any CacheWriter
        let store: BrokenStore

        func append(_ bytes: [UInt8]) async throws(StoreError) {
            try store.fail(.append)
            try await base.append(bytes)
        }

        func commit(as head: StoredHead?) async throws(StoreError) -> StoredResponse.ID {
            try store.fail(.commit)
            return try await base.commit(as: head)
        }

        func abandon() { base.abandon() }
    }
}
