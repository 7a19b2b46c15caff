import Dispatch
import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRandom
import WharfStorage

@testable import WharfSQLite

@Suite struct LargeBodyTests {
    @Test func partsOfALargeBodyAreItsBytes() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        let body = LargeBody.bytes(8 << 20)
        try await store.keepLarge("https://a.test/1", body)
        #expect(try folder.count("SELECT count(*) FROM body") == 0)
        var random = SeededGenerator(seed: 30)
        for _ in 0..<200 {
            let first = Int64(random.next() % UInt64(body.count))
            // Short and long parts, and some beyond the end.
            let part = first...first + Int64(random.next() % (1 << (random.next() % 24)))
            let stream = try #require(try await store.part("https://a.test/1", part))
            let expected = body[Int(first)..<Int(min(part.upperBound + 1, Int64(body.count)))]
            #expect(stream.expectedLength == Int64(expected.count))
            #expect(try await stream.collect() == Array(expected), "\(part)")
        }
        #expect(try await store.body("https://a.test/1") == body)
        try await store.close()
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 300_000])
    func bodyOfAnyLengthIsRestoredFromItsFile(length: Int) async throws {
        let folder = try Scratch()
        let probe = SQLiteCacheProbe(rowLimit: -1)
        var store = try await SQLiteCacheStore.open(at: folder.path(), probe: probe) { _ in }
        let body = LargeBody.bytes(length)
        for size in [1 << 20, 1_009, 65_536] {
            let writer = try await store.begin(CacheKey(target: "https://a.test/1"), .sample)
            if body.isEmpty { try await writer.append([]) }
            for start in stride(from: 0, to: length, by: size) {
                try await writer.append(Array(body[start..<min(start + size, length)]))
            }
            _ = try await writer.commit()
            #expect(try folder.bodies.count == 1)
            #expect(try await store.body("https://a.test/1") == body)
        }
        try await store.close()
        store = try await SQLiteCacheStore.open(at: folder.path(), probe: probe) { _ in }
        #expect(try await store.body("https://a.test/1") == body)
        try await store.close()
    }

    @Test func onlyABodyAboveTheRowLimitHasAFile() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        try await store.keepLarge("https://a.test/1", LargeBody.bytes(SQLiteCacheProbe.defaultRowLimit))
        #expect(try folder.bodies.isEmpty)
        try await store.keepLarge("https://a.test/2", LargeBody.bytes(SQLiteCacheProbe.defaultRowLimit + 1))
        #expect(try folder.bodies.count == 1)
        #expect(try folder.mode("cache.sqlite-bodies") == 0o700)
        #expect(try folder.mode("cache.sqlite-bodies/" + folder.bodies[0]) == 0o600)
        try await store.close()
    }

    @Test(arguments: BodyProducerLaws.all)
    func storedFileBodyKeeps(law: Law<BodyProducerLaws.Subject>) async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path(), probe: SQLiteCacheProbe(rowLimit: -1)) { _ in }
        // A stream cancels its producer when it is released.
        let streams = Mutex<[BodyStream]>([])
        try await law.check(
            .init("StoredFileBody") { bytes in
                // A part of a longer body, so that the ends are inside of pieces.
                try await store.keepLarge("https://a.test/1", [1, 2, 3] + bytes + [4, 5])
                // The empty part begins after the end.
                let part = bytes.isEmpty ? 9...9 : 3...Int64(bytes.count) + 2
                let stream = try #require(try await store.part("https://a.test/1", part))
                streams.withLock { $0.append(stream) }
                return try #require(stream.producer)
            })
        try await store.close()
    }

    @Test func bodyFileIsNotReadOnAThreadOfTheReadersPool() async throws {
        let folder = try Scratch()
        let pool = MarkedExecutor()
        let reads = Box<[Bool]>([])
        var probe = SQLiteCacheProbe()
        probe.reading = { reads.change { $0.append(MarkedExecutor.isCurrent) } }
        let store = try await SQLiteCacheStore.open(at: folder.path(), probe: probe) { _ in }
        let body = LargeBody.bytes(300_000)
        try await store.keepLarge("https://a.test/1", body)
        let read = Task(executorPreference: pool) {
            #expect(MarkedExecutor.isCurrent)
            return try await store.body("https://a.test/1")
        }
        #expect(try await read.value == body)
        #expect(reads.value == Array(repeating: false, count: 5))
        try await store.close()
    }

    @Test func removedEntriesRemoveTheirFiles() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        let body = LargeBody.bytes(300_000)
        let key = CacheKey(target: "https://a.test/1")
        let id = try await store.keepLarge(key.target, body)
        let first = try folder.bodies
        // A replacement has a file of its own.
        try await store.keepLarge(key.target, body)
        #expect(try folder.bodies.count == 1 && folder.bodies != first)
        try await store.remove(id, under: key)
        #expect(try folder.bodies.count == 1)
        try await store.removeAll(under: key)
        #expect(try folder.bodies.isEmpty)
        for account in [Account("1"), Account("2")] { try await store.keepLarge(key.target, body, account: account) }
        try await store.removeAll(of: Account("1"))
        #expect(try folder.bodies.count == 1)
        try await store.keep(key.target, [1], account: Account("2"))
        #expect(try folder.bodies.isEmpty)
        try await store.close()
        #expect(try folder.count("SELECT count(*) FROM body_file") == 0)
        #expect(try folder.count("SELECT count(*) FROM removed_file") == 0)
    }

    @Test func evictionRemovesFilesAndIsReported() async throws {
        let folder = try Scratch()
        let evictions = Box<[CacheEviction]>([])
        let store = try await SQLiteCacheStore.open(
            at: folder.path(), byteLimit: 1_000_000,
            onEviction: { eviction in evictions.change { $0.append(eviction) } },
            onIncident: { _ in })
        for name in ["a", "b", "c"] { try await store.keepLarge("https://a.test/\(name)", LargeBody.bytes(300_000)) }
        #expect(evictions.value.isEmpty)
        _ = try await store.part("https://a.test/a", 0...0)
        let size = try folder.count("SELECT size FROM response LIMIT 1")
        try await store.keepLarge("https://a.test/d", LargeBody.bytes(300_000))
        #expect(
            evictions.value == [
                CacheEviction(
                    key: CacheKey(target: "https://a.test/b"), byteCount: Int64(size), reason: .byteLimit)
            ])
        #expect(try folder.bodies.count == 3)
        // An update with a larger head evicts as well.
        var head = StoredHead.sample
        head.response.headerFields[.server] = String(repeating: "s", count: 200_000)
        let key = CacheKey(target: "https://a.test/d")
        let id = try #require(try await store.lookup(key) { _ in nil }.variants.first?.id)
        try await store.update(id, under: key, to: head)
        #expect(evictions.value.map(\.key.target) == ["https://a.test/b", "https://a.test/c"])
        #expect(try folder.bodies.count == 2)
        #expect(try await store.body("https://a.test/d") == LargeBody.bytes(300_000))
        try await store.close()
    }

    @Test func readerOfAnEvictedEntryFinishes() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path(), byteLimit: 1_000_000) { _ in }
        let body = LargeBody.bytes(900_000)
        try await store.keepLarge("https://a.test/1", body)
        let stream = try #require(try await store.part("https://a.test/1", nil))
        var chunks = stream.makeAsyncIterator()
        var read = try await chunks.next(isolation: nil) ?? []
        try await store.keepLarge("https://a.test/2", body)
        #expect(try folder.bodies.count == 1)
        #expect(try await store.body("https://a.test/1") == nil)
        while let chunk = try await chunks.next(isolation: nil) { read += chunk }
        #expect(read == body)
        try await store.close()
    }

    @Test func twoStoresOnOneFileShareLargeBodies() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let first = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        let second = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        let body = LargeBody.bytes(500_000)
        try await first.keepLarge("https://a.test/1", body)
        let stream = try #require(try await first.part("https://a.test/1", 100_000...499_999))
        #expect(try await second.body("https://a.test/1") == body)
        try await second.removeAll(under: CacheKey(target: "https://a.test/1"))
        #expect(try folder.bodies.isEmpty)
        #expect(try await first.body("https://a.test/1") == nil)
        #expect(try await stream.collect() == Array(body[100_000...]))
        #expect(incidents.all.isEmpty)
        try await first.close()
        try await second.close()
    }

    @Test func newBodyFileGetsTheAttributes() async throws {
        let folder = try Scratch()
        let made = Box<[String]>([])
        var probe = SQLiteCacheProbe()
        probe.made = { path in
            made.change { $0.append(path) }
            return path.hasSuffix("1f.part") ? StoreError(.unavailable, message: "no") : nil
        }
        let tokens = Box<[UInt64]>([0x1F, 0x2A])
        probe.token = {
            var token: UInt64 = 0
            tokens.change { token = $0.removeFirst() }
            return token
        }
        let store = try await SQLiteCacheStore.open(at: folder.path(), probe: probe) { _ in }
        let body = LargeBody.bytes(300_000)
        #expect(await storeErrorCode { try await store.keepLarge("https://a.test/1", body) } == .unavailable)
        #expect(try folder.bodies.isEmpty)
        try await store.keepLarge("https://a.test/1", body)
        let bodies = folder.path("cache.sqlite-bodies")
        #expect(made.value == [folder.path(), bodies, bodies + "/1f.part", bodies + "/2a.part"])
        #expect(try folder.bodies == ["2a.body"])
        try await store.close()
    }

    @Test func purgeRemovesLargeBodiesOfTheAccount() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        let body = LargeBody.bytes(300_000)
        try await store.keepLarge("https://a.test/1", body, account: Account("gone"))
        try await store.keepLarge("https://a.test/1", body, account: Account("stays"))
        // A process that was killed has left a body whose row was never committed.
        let draft = try store.bodies.begin()
        draft.release()
        try await store.removeAll(of: Account("gone"))
        #expect(try folder.bodies.count == 1)
        try await store.close()
    }

    @Test func entryLimitIsAQuarterOfALargeCache() {
        #expect(SQLiteCacheStore.Limits(bytes: 4 << 30, entry: nil).entry == 1 << 30)
        #expect(SQLiteCacheStore.Limits(bytes: 64 << 20, entry: nil).entry == 32 << 20)
        #expect(SQLiteCacheStore.Limits(bytes: 1_000, entry: nil).entry == 1_000)
        #expect(SQLiteCacheStore.Limits(bytes: 4 << 30, entry: 3 << 30).entry == 3 << 30)
        #expect(SQLiteCacheStore.Limits(bytes: 1_000, entry: 2_000).entry == 1_000)
    }
}

/// A task executor with one thread, whose jobs are told from others.
private final class MarkedExecutor: TaskExecutor {
    private static let mark = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "Wharf.test.pool")

    init() { queue.setSpecific(key: Self.mark, value: true) }

    /// Whether the caller runs on such an executor.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
