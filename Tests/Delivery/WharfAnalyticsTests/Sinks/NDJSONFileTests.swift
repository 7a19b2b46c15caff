import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfJSON

@testable import WharfAnalytics

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

@Suite final class NDJSONFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder["events.ndjson"]
    }

    private func sink(rotation: Int? = nil, syncs: Bool = false, disk: DiskCalls = DiskCalls()) -> NDJSONFile {
        NDJSONFile(
            name: "file", LineFile(path: path, rotation: rotation, syncs: syncs, disk: disk),
            limits: BatchLimits(entries: 10)
        ) { $0.json }
    }

    private func lines(_ name: String = "events.ndjson") throws -> [String] {
        let text = String(decoding: try folder.bytes(of: name), as: UTF8.self)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return text.split(separator: "\n").map(String.init)
    }

    private func ids(_ name: String = "events.ndjson") throws -> [String] {
        try lines(name).map { try JSON.decode(TrackedEvent.self, from: $0).id }
    }

    private func batch(_ range: Range<Int>) -> [KeyedEvent] { Array([KeyedEvent].samples(range.upperBound)[range]) }

    @Test func eventsAreAppendedAsLines() async throws {
        #expect(await NDJSONFile(path: path).send(batch(0..<2)) == [.delivered, .delivered])
        _ = await NDJSONFile(path: path).send(batch(2..<3))
        #expect(try ids() == ["event-0", "event-1", "event-2"])
        #expect(try folder.permissions(of: "events.ndjson") == 0o600)
    }

    @Test func lineFormatCanBeCustomized() async throws {
        _ = await NDJSONFile(path: path) { .init(.string("\($0.name)\n")) }.send(batch(0..<1))
        #expect(try lines() == [#""film.opened\n""#])
    }

    @Test func aBatchIsOneWrite() async throws {
        let writes = Mutex(0)
        var disk = DiskCalls()
        let real = disk.write
        disk.write = { file, bytes in
            writes.withLock { $0 += 1 }
            return real(file, bytes)
        }
        _ = await sink(disk: disk).send(batch(0..<50))
        #expect(writes.withLock { $0 } == 1)
        #expect(try ids().count == 50)
    }

    @Test func aTornLastLineIsTakenOffAndWholeOnesStay() async throws {
        try folder.write("{\"a\":1}\n{\"b\":2}\n{\"c\":", "events.ndjson")
        _ = await sink().send(batch(0..<1))
        #expect(try lines().prefix(2) == [#"{"a":1}"#, #"{"b":2}"#])
        #expect(try lines().count == 3)
    }

    @Test func aFileThatIsOneTornLineIsEmptied() async throws {
        try folder.write(String(repeating: "x", count: 200_000), "events.ndjson")
        _ = await sink().send(batch(0..<1))
        #expect(try ids() == ["event-0"])
    }

    @Test func aLongTornLineBehindWholeOnesIsFound() async throws {
        try folder.write("{}\n" + String(repeating: "x", count: 65_536 * 2 - 1), "events.ndjson")
        _ = await sink().send(batch(0..<1))
        #expect(try lines().count == 2)
        #expect(try lines().first == "{}")
    }

    @Test func batchAfterAWriteCutAnywhereLeavesWholeLines() async throws {
        _ = await sink().send(batch(0..<4))
        let whole = try folder.bytes(of: "events.ndjson")
        for cut in 0...whole.count {
            try folder.write(Array(whole[..<cut]), "events.ndjson")
            _ = await sink().send(batch(0..<4))
            let complete = whole[..<cut].count { $0 == UInt8(ascii: "\n") }
            #expect(try ids() == (0..<complete).map { "event-\($0)" } + (0..<4).map { "event-\($0)" })
        }
    }

    @Test func fullDiskLeavesNoPartialLineAndTheBatchIsRetried() async throws {
        _ = await sink().send(batch(0..<2))
        var disk = DiskCalls()
        let real = disk.write
        let left = Mutex(100)
        disk.write = { file, bytes in
            let room = left.withLock { $0 }
            guard room > 0 else {
                errno = ENOSPC
                return nil
            }
            left.withLock { $0 = max(0, room - bytes.count) }
            return real(file, bytes.prefix(room))
        }
        let full = sink(disk: disk)
        for verdict in await full.send(batch(2..<5)) {
            guard case .retry(let failure, nil) = verdict else { return #expect(Bool(false), "\(verdict)") }
            #expect(failure.code == .unavailable)
            #expect(failure.message.contains("\(ENOSPC)"))
        }
        #expect(try ids() == ["event-0", "event-1"])
        left.withLock { $0 = .max }
        #expect(await full.send(batch(2..<5)).allSatisfy { $0 == .delivered })
        #expect(try ids() == (0..<5).map { "event-\($0)" })
    }

    @Test func lockIsReleasedEvenIfAChildHoldsACopy() throws {
        let disk = DiskCalls()
        let lock = try #require(disk.open(path + ".lock"))
        #expect(disk.lock(lock))
        // Each child process has such a copy between its fork and its exec.
        let copy = dup(lock)
        defer { disk.close(copy) }
        disk.unlock(lock)
        let next = try #require(disk.open(path + ".lock"))
        defer { disk.close(next) }
        #expect(flock(next, LOCK_EX | LOCK_NB) == 0)
    }

    @Test func partialWriteIsContinued() async throws {
        var disk = DiskCalls()
        let real = disk.write
        disk.write = { file, bytes in real(file, bytes.prefix(7)) }
        _ = await sink(disk: disk).send(batch(0..<3))
        #expect(try ids().count == 3)
    }

    @Test(arguments: [true, false]) func failedSyncIsARetryOnlyIfSyncIsOn(syncs: Bool) async throws {
        var disk = DiskCalls()
        disk.sync = { _ in
            errno = EIO
            return false
        }
        let verdicts = await sink(syncs: syncs, disk: disk).send(batch(0..<2))
        #expect(verdicts.allSatisfy { syncs ? $0.isRetry : $0 == .delivered })
        #expect(try ids().count == (syncs ? 0 : 2))
        #expect(await sink(syncs: true).send(batch(0..<2)) == [.delivered, .delivered])
    }

    @Test func aFileIsRotatedBeforeItGrowsBeyondItsSize() async throws {
        let line = try lineLength()
        let rotating = sink(rotation: line * 2)
        for number in 0..<5 { _ = await rotating.send(batch(number..<(number + 1))) }
        #expect(
            try folder.names.filter { !$0.hasSuffix(".lock") } == [
                "events.ndjson", "events.ndjson.1", "events.ndjson.2",
            ])
        #expect(try ids("events.ndjson.1") == ["event-0", "event-1"])
        #expect(try ids("events.ndjson.2") == ["event-2", "event-3"])
        #expect(try ids() == ["event-4"])
    }

    @Test func batchLargerThanTheSizeHasItsOwnFile() async throws {
        let rotating = sink(rotation: 10)
        _ = await rotating.send(batch(0..<2))
        _ = await rotating.send(batch(2..<4))
        #expect(try ids("events.ndjson.1") == ["event-0", "event-1"])
        #expect(try ids() == ["event-2", "event-3"])
    }

    @Test func rotationNeverTakesTheNameOfAnotherFile() async throws {
        try folder.write("kept\n", "events.ndjson.1")
        let rotating = sink(rotation: 10)
        for number in 0..<2 { _ = await rotating.send(batch(number..<(number + 1))) }
        #expect(try lines("events.ndjson.1") == ["kept"])
        #expect(try ids("events.ndjson.2") == ["event-0"])
    }

    @Test(arguments: [true, false]) func rotationNumberIsNotReusedAfterRemoval(syncs: Bool) async throws {
        for number in 0..<6 {
            // Each sink stands for a process of its own.
            _ = await sink(rotation: 10, syncs: syncs).send(batch(number..<(number + 1)))
            guard number > 0 else { continue }
            #expect(try ids("events.ndjson.\(number)") == ["event-\(number - 1)"])
            #expect(unlink("\(path).\(number)") == 0)
        }
        #expect(try ids() == ["event-5"])
    }

    @Test func rotationNumbersContinueAfterExistingFiles() async throws {
        for number in 1...3 { try folder.write("kept\n", "events.ndjson.\(number)") }
        for number in 0..<2 { _ = await sink(rotation: 10).send(batch(number..<(number + 1))) }
        for number in 1...4 { #expect(unlink("\(path).\(number)") == 0) }
        _ = await sink(rotation: 10).send(batch(2..<3))
        #expect(try ids("events.ndjson.5") == ["event-1"])
    }

    @Test func batchIsWrittenUnderAnExclusiveLock() async throws {
        let lock = "\(path).lock"
        let refused = Mutex(false)
        var disk = DiskCalls()
        let real = disk.write
        disk.write = { file, bytes in
            let other = open(lock, O_RDWR | O_CLOEXEC)
            defer { close(other) }
            let isTaken = flock(other, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
            refused.withLock { $0 = isTaken }
            return real(file, bytes)
        }
        _ = await sink(disk: disk).send(batch(0..<1))
        #expect(refused.withLock { $0 })
    }

    @Test func manyWritersLoseAndMixNothing() async throws {
        let length = try lineLength()
        // Without the lock the pieces of different writers would mix.
        var disk = DiskCalls()
        let real = disk.write
        disk.write = { file, bytes in real(file, bytes.prefix(9)) }
        let sink = sink(rotation: length * 50, disk: disk)
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<25 {
                        _ = await sink.send([.init(.sample(writer * 25 + number), key: .init("k"))])
                    }
                }
            }
        }
        let names = try folder.names.filter { !$0.hasSuffix(".lock") }
        #expect(names.count >= 4)
        #expect(try Set(names.flatMap { try ids($0) }) == Set((0..<200).map { "event-\($0)" }))
        #expect(try names.reduce(0) { try $0 + ids($1).count } == 200)
    }

    @Test func batchIsRetriedIfItsFolderIsMissing() async throws {
        let verdicts = await NDJSONFile(path: folder["none/events.ndjson"]).send(batch(0..<1))
        #expect(verdicts.allSatisfy { $0.isRetry })
        #expect("\(verdicts)".contains("none/events.ndjson"))
    }

    private func lineLength() throws -> Int { TrackedEvent.sample(10).json.description.utf8.count + 1 }
}
