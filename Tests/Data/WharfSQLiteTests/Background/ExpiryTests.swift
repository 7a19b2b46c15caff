import GRDB
import Testing
import WharfChecks
import WharfCore
import WharfStorage

@testable import WharfSQLite

@Suite struct ExpiryTests {
    @Test func expiredCommitIsRolledBackBetweenRows() async throws {
        let folder = try Scratch()
        let assertion = ScriptedAssertion()
        let rows = Box(0)
        let probe = SQLiteDataProbe {
            guard $0 == .rowWritten else { return }
            rows.change { $0 += 1 }
            if rows.value == 2 { assertion.expire() }
        }
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"), assertion: assertion, probe: probe)
        let store = SQLiteEntityStore(file)
        let code = await storeErrorCode { try await store.commit((0..<10).map { .put(.note("\($0)")) }) }
        #expect(code == .unavailable)
        #expect(rows.value == 2)
        #expect(try await store.row(.note("0")) == nil)
        #expect(assertion.record.held == 0)
        // The next write asks for background time of its own.
        try await store.commit([.put(.note("0"))])
        #expect(try await store.row(.note("0")) != nil)
        try await file.close()
    }

    @Test func aLongStatementIsInterrupted() async throws {
        let folder = try Scratch()
        let assertion = ScriptedAssertion()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"), assertion: assertion)
        let isDone = Box(false)
        let expiring = Task.detached {
            // An expiry before the statement runs only rejects the write, so expiries are repeated.
            while !isDone.value {
                assertion.expire()
                await Task.yield()
            }
        }
        let code = await storeErrorCode {
            try await file.write("count") { db in
                let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
                _ = try db.integer(endless)
            }
        }
        isDone.change { $0 = true }
        await expiring.value
        #expect(code == .unavailable)
        #expect(assertion.record.held == 0)
        try await file.close()
    }

    @Test func interruptWithoutExpiryIsACancellation() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"), assertion: ScriptedAssertion())
        let code = await storeErrorCode {
            try await file.write("fail") { _ in throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
        }
        #expect(code == .cancelled)
        try await file.close()
    }

    @Test func writesAfterExpiryAreRefusedUntilAllHaveLeft() async throws {
        let assertion = ScriptedAssertion()
        let gate = WriteGate(assertion)
        let hold = try await gate.enter()
        let queued = try await gate.enter()
        #expect(assertion.record.asked == 1)
        assertion.expire()
        #expect(await storeErrorCode { _ = try await gate.enter() } == .unavailable)
        #expect(hold.isExpired)
        // A write that has waited for the connection since then does not begin.
        let queue = try DatabaseQueue()
        let code = await storeErrorCode { try await queue.write { db in try queued.run(db) {} } }
        #expect(code == .unavailable)
        gate.leave()
        #expect(assertion.record.held == 1)
        gate.leave()
        #expect(assertion.record.held == 0)
        #expect(try await gate.enter().isExpired == false)
        gate.leave()
        #expect(assertion.record.asked == 2)
        #expect(assertion.record.endedTwice == 0)
    }

    @Test(arguments: [true, false]) func waitingWritesShareTheAnswerOfOneAssertion(isGranted: Bool) async throws {
        let assertion = ScriptedAssertion()
        assertion.grant(isGranted)
        assertion.pause()
        let gate = WriteGate(assertion)
        let codes = await withTaskGroup(of: StoreError.Code?.self) { group in
            for _ in 0..<8 { group.addTask { await storeErrorCode { _ = try await gate.enter() } } }
            await waitUntil { assertion.record.asked >= 1 }
            assertion.resume()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: isGranted ? nil : .unavailable, count: 8))
        guard isGranted else { return }
        #expect(assertion.record.asked == 1)
        for count in 1...8 {
            #expect(assertion.record.held == 1)
            gate.leave()
            #expect(assertion.record.held == (count == 8 ? 0 : 1))
        }
    }
}
