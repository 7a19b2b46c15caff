import GRDB
import Testing
import WharfChecks
import WharfCore
import WharfStorage

@testable import WharfSQLite

@Suite struct BackgroundTests {
    /// A file of either kind, to which a test writes.
    struct Writer: Sendable {
        let write: @Sendable (_ name: String) async throws -> Void
        let close: @Sendable () async throws -> Void
    }

    enum Kind: CaseIterable, Sendable {
        case data, cache

        /// - Parameter reached: called in each transaction, before it commits.
        func open(
            _ folder: Scratch, _ assertion: ScriptedAssertion, made: (@Sendable () -> Void)? = nil,
            reached: (@Sendable () -> Void)? = nil
        ) async throws -> Writer {
            switch self {
            case .data:
                var probe = SQLiteDataProbe { if $0 == .beforeCommit { reached?() } }
                probe.made = { _ in
                    made?()
                    return nil
                }
                let file = try await SQLiteDataFile.open(
                    at: folder.path("file.sqlite"), assertion: assertion, probe: probe)
                let store = SQLiteEntityStore(file)
                return Writer(
                    write: { try await store.commit([.put(.note($0))]) }, close: { try await file.close() })
            case .cache:
                var probe = SQLiteCacheProbe { if $0 == .beforeCommit { reached?() } }
                probe.made = { _ in
                    made?()
                    return nil
                }
                let store = try await SQLiteCacheStore.open(
                    at: folder.path("file.sqlite"), assertion: assertion, probe: probe
                ) { _ in }
                return Writer(
                    write: { try await store.keep("https://a.test/\($0)", [1, 2, 3]) },
                    close: { try await store.close() })
            }
        }
    }

    @Test(arguments: Kind.allCases) func assertionIsHeldDuringOpenAndEachWrite(kind: Kind) async throws {
        let folder = try Scratch()
        let assertion = ScriptedAssertion()
        let (opening, writing) = (Box<[Int]>([]), Box<[Int]>([]))
        let file = try await kind.open(
            folder, assertion, made: { opening.change { $0.append(assertion.record.held) } },
            reached: { writing.change { $0.append(assertion.record.held) } })
        #expect(opening.value == [1])
        #expect(assertion.record.asked == 1)
        for count in 1...3 {
            #expect(assertion.record.held == 0)
            try await file.write("\(count)")
            #expect(assertion.record.asked == 1 + count)
        }
        #expect(writing.value == [1, 1, 1])
        try await file.close()
        #expect(assertion.record.asked == 5)
        #expect(assertion.record.held == 0)
        #expect(assertion.record.endedTwice == 0)
    }

    @Test(arguments: Kind.allCases) func expiryBeforeTheMigrationLeavesANewFileEmpty(kind: Kind) async throws {
        let folder = try Scratch()
        let assertion = ScriptedAssertion()
        let code = await storeErrorCode { _ = try await kind.open(folder, assertion, made: { assertion.expire() }) }
        #expect(code == .unavailable)
        #expect(try folder.count("SELECT count(*) FROM sqlite_master", in: "file.sqlite") == 0)
        #expect(assertion.record.held == 0)
        try await kind.open(folder, assertion).close()
    }

    @Test(arguments: Kind.allCases) func expiryEndsTheWaitForTheLockOfAnOpening(kind: Kind) async throws {
        let folder = try Scratch()
        let assertion = ScriptedAssertion()
        let lock = try await FileLock.acquire(folder.path("file.sqlite.lock"), doing: "hold the lock")
        let opening = Task { await message { try await kind.open(folder, assertion).close() } }
        await waitUntil { assertion.record.held == 1 }
        assertion.expire()
        // The other error is that the wait took too long.
        #expect(await opening.value.hasPrefix("the time to write that the system granted ran out"))
        #expect(assertion.record.held == 0)
        lock.release()
    }

    @Test(arguments: Kind.allCases) func expiryEndsTheWaitOfAnOpeningForAWrite(kind: Kind) async throws {
        let folder = try Scratch()
        try await kind.open(folder, ScriptedAssertion()).close()
        let assertion = ScriptedAssertion()
        var configuration = Configuration()
        // The transaction stays open between two accesses.
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.path("file.sqlite"), configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let opening = Task { await message { try await kind.open(folder, assertion).close() } }
        await waitUntil { assertion.record.held == 1 }
        assertion.expire()
        #expect(await opening.value.hasPrefix("the time to write that the system granted ran out"))
        #expect(assertion.record.held == 0)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try other.close()
    }

    /// The message of the error that `body` throws.
    private func message(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "nothing was thrown"
        } catch {
            return (error as? StoreError)?.message ?? "\(error)"
        }
    }

    @Test(arguments: Kind.allCases) func concurrentWritesShareOneAssertion(kind: Kind) async throws {
        let folder = try Scratch()
        let assertion = ScriptedAssertion()
        let writing = Box<Set<Int>>([])
        let file = try await kind.open(
            folder, assertion, reached: { writing.change { $0.insert(assertion.record.held) } })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for count in 0..<40 { group.addTask { try await file.write("\(count)") } }
            try await group.waitForAll()
        }
        #expect(writing.value == [1])
        #expect(assertion.record.mostHeld == 1)
        #expect(assertion.record.held == 0)
        #expect(assertion.record.endedTwice == 0)
        try await file.close()
    }

    @Test func failedWriteEndsItsAssertion() async throws {
        let folder = try Scratch()
        let assertion = ScriptedAssertion()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"), assertion: assertion)
        let code = await storeErrorCode {
            _ = try await file.commit("fail") { db, _ in try db.integer("SELECT * FROM nothing") }
        }
        #expect(code == .failed)
        #expect(assertion.record.asked == 2)
        #expect(assertion.record.held == 0)
        try await file.close()

        let cache = try await SQLiteCacheStore.open(
            at: folder.path(), assertion: assertion, probe: SQLiteCacheProbe(pageLimit: 40)
        ) { _ in }
        let large = [UInt8](repeating: 1, count: 250_000)
        #expect(await storeErrorCode { try await cache.keep("https://a.test/1", large) } == .full)
        #expect(assertion.record.held == 0)
        try await cache.close()
    }

    @Test(arguments: Kind.allCases) func cancelledWriteEndsItsAssertion(kind: Kind) async throws {
        let folder = try Scratch()
        let assertion = ScriptedAssertion()
        let written = Box(0)
        let file = try await kind.open(folder, assertion, reached: { written.change { $0 += 1 } })
        assertion.pause()
        let task = Task { await storeErrorCode { try await file.write("1") } }
        await waitUntil { assertion.record.asked >= 2 }
        task.cancel()
        assertion.resume()
        #expect(await task.value == .cancelled)
        #expect(written.value == 0)
        #expect(assertion.record.held == 0)
        // The cancelled write blocks no later one.
        try await file.write("2")
        #expect(written.value == 1)
        try await file.close()
    }

    @Test(arguments: Kind.allCases) func writeIsRefusedWithoutBackgroundTime(kind: Kind) async throws {
        let folder = try Scratch()
        let assertion = ScriptedAssertion()
        assertion.grant(false)
        #expect(await storeErrorCode { _ = try await kind.open(folder, assertion) } == .unavailable)
        #expect(try folder.names == [])

        assertion.grant(true)
        let written = Box(0)
        let file = try await kind.open(folder, assertion, reached: { written.change { $0 += 1 } })
        assertion.grant(false)
        #expect(await storeErrorCode { try await file.write("1") } == .unavailable)
        #expect(written.value == 0)
        // The next write asks again.
        assertion.grant(true)
        try await file.write("1")
        #expect(written.value == 1)
        // Closing releases locks, so it proceeds without background time.
        assertion.grant(false)
        try await file.close()
        #expect(await storeErrorCode { try await file.write("2") } == .closed)
        #expect(assertion.record.held == 0)
    }

    @Test func droppingADamagedBodyHoldsAnAssertion() async throws {
        let folder = try Scratch()
        let assertion = ScriptedAssertion()
        let store = try await SQLiteCacheStore.open(at: folder.path(), assertion: assertion) { _ in }
        try await store.keep("https://a.test/1", [1, 2, 3])
        try folder.tamper("cache.sqlite", "UPDATE response SET head = x'00'")
        let before = assertion.record.asked
        #expect(try await store.body("https://a.test/1") == nil)
        #expect(assertion.record.asked == before + 1)
        #expect(assertion.record.held == 0)
        #expect(try folder.count("SELECT count(*) FROM response") == 0)
        try await store.close()
    }
}
