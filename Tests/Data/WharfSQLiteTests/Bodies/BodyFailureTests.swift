import Testing
import WharfCore
import WharfFakes
import WharfStorage

@testable import WharfSQLite

/// Failures between the steps of a write, and files that a kill leaves.
@Suite struct BodyFailureTests {
    private static let target = "https://a.test/1"
    private static let old = LargeBody.bytes(300_000, seed: 1)
    private static let new = LargeBody.bytes(400_000, seed: 2)

    @Test(
        arguments: [WritePoint.fileMade, .pieceWritten, .fileSynced, .fileRenamed],
        [StoreError.Code.full, .unavailable])
    func failedStepLeavesNothingBehind(point: WritePoint, code: StoreError.Code) async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let isArmed = Box(false)
        var probe = SQLiteCacheProbe()
        probe.fails = { at in
            at == point && isArmed.value ? StoreError(code, message: "scripted") : nil
        }
        let store = try await SQLiteCacheStore.open(at: folder.path(), probe: probe, onIncident: incidents.handler)
        try await store.keep("https://a.test/0", [1])
        isArmed.change { $0 = true }
        #expect(await storeErrorCode { try await store.keepLarge(Self.target, Self.new) } == code)
        #expect(try folder.bodies.isEmpty)
        isArmed.change { $0 = false }
        try await store.keepLarge(Self.target, Self.new)
        #expect(try await store.body(Self.target) == Self.new)
        #expect(try await store.body("https://a.test/0") == [1])
        #expect(incidents.all.isEmpty)
        try await store.close()
    }

    @Test func failedReplacementKeepsTheEarlierBody() async throws {
        let folder = try Scratch()
        let isArmed = Box(false)
        var probe = SQLiteCacheProbe()
        probe.fails = { at in
            at == .fileRenamed && isArmed.value ? StoreError(.unavailable, message: "scripted") : nil
        }
        let store = try await SQLiteCacheStore.open(at: folder.path(), probe: probe) { _ in }
        try await store.keepLarge(Self.target, Self.old)
        isArmed.change { $0 = true }
        #expect(await storeErrorCode { try await store.keepLarge(Self.target, Self.new) } == .unavailable)
        #expect(try folder.bodies.count == 1)
        #expect(try await store.body(Self.target) == Self.old)
        try await store.close()
    }

    @Test func cancelledTransactionRemovesItsFile() async throws {
        let folder = try Scratch()
        let running = Box<Task<StoreError.Code?, Never>?>(nil)
        let probe = SQLiteCacheProbe { point in if point == .bodyWritten { running.value?.cancel() } }
        let store = try await SQLiteCacheStore.open(at: folder.path(), probe: probe) { _ in }
        try await store.keepLarge(Self.target, Self.old)
        let gate = Gate()
        let task = Task {
            await gate.pass()
            return await storeErrorCode { try await store.keepLarge(Self.target, Self.new) }
        }
        running.change { $0 = task }
        gate.open()
        #expect(await task.value == .cancelled)
        running.change { $0 = nil }
        #expect(try folder.bodies.count == 1)
        #expect(try await store.body(Self.target) == Self.old)
        try await store.close()
    }

    @Test func fullDiskEvictsEntriesWithFiles() async throws {
        let folder = try Scratch()
        let evictions = Box<[CacheEviction]>([])
        let isFull = Box(false)
        var probe = SQLiteCacheProbe()
        probe.fails = { at in at == .fileSynced && isFull.value ? StoreError(.full, message: "scripted") : nil }
        let store = try await SQLiteCacheStore.open(
            at: folder.path(), probe: probe, onEviction: { eviction in evictions.change { $0.append(eviction) } },
            onIncident: { _ in })
        try await store.keep("https://a.test/small", [1])
        for name in ["a", "b", "c"] { try await store.keepLarge("https://a.test/\(name)", Self.old) }
        isFull.change { $0 = true }
        #expect(await storeErrorCode { try await store.keepLarge(Self.target, Self.new) } == .full)
        // 400 KB are removed, the least recently used first. A row would not make room.
        #expect(evictions.value.map(\.key.target) == ["https://a.test/a", "https://a.test/b"])
        #expect(evictions.value.allSatisfy { $0.reason == .fullDisk })
        #expect(try folder.bodies.count == 1)
        #expect(try await store.body("https://a.test/small") == [1])
        try await store.close()
    }

    @Test func writerWithoutACommitLeavesNoFile() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path(), entryLimit: 1 << 20) { _ in }
        let key = CacheKey(target: Self.target)
        let abandoned = try await store.begin(key, .sample)
        try await abandoned.append(Self.new)
        #expect(try folder.bodies.count == 1)
        abandoned.abandon()
        #expect(try folder.bodies.isEmpty)
        do {
            let released = try await store.begin(key, .sample)
            try await released.append(Self.new)
            #expect(try folder.bodies.count == 1)
        }
        #expect(try folder.bodies.isEmpty)
        let large = try await store.begin(key, .sample)
        for _ in 0..<2 { try await large.append(Self.new) }
        #expect(await storeErrorCode { try await large.append(Self.new) } == .tooLarge)
        #expect(try folder.bodies.isEmpty)
        let late = try await store.begin(key, .sample)
        try await late.append(Self.new)
        // Closing ends the writer, whose reader may pause for long.
        try await store.close()
        #expect(try folder.bodies.isEmpty)
        #expect(await storeErrorCode { _ = try await late.commit() } == .closed)
    }

    @Test func openingRemovesFilesOfDeadWriters() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        var store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.keepLarge(Self.target, Self.old)
        let kept = try folder.bodies
        // A killed process has released its locks, and removed nothing.
        var unfinished = try store.bodies.begin()
        try unfinished.append(Self.new)
        unfinished.release()
        var renamed = try store.bodies.begin()
        try renamed.append(Self.new)
        try await renamed.finish()
        renamed.release()
        #expect(try folder.bodies.count == 3)
        try await store.close()
        store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        #expect(try folder.bodies == kept)
        #expect(try await store.body(Self.target) == Self.old)
        #expect(incidents.all.isEmpty)
        try await store.close()
    }

    @Test func openingLeavesFilesOfALiveWriter() async throws {
        let folder = try Scratch()
        let first = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        let writer = try await first.begin(CacheKey(target: Self.target), .sample)
        try await writer.append(Self.new)
        // Its row is not committed yet.
        var renamed = try first.bodies.begin()
        try renamed.append(Self.old)
        try await renamed.finish()
        let second = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        #expect(try folder.bodies.count == 2)
        _ = try await writer.commit()
        #expect(try await second.body(Self.target) == Self.new)
        renamed.discard()
        #expect(try folder.bodies.count == 1)
        try await first.close()
        try await second.close()
    }
}
