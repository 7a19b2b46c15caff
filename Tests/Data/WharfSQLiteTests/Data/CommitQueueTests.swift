import GRDB
import Testing
import WharfCore

@testable import WharfSQLite

/// Jobs that share a transaction, without the data file around them.
@Suite struct CommitQueueTests {
    private let assertion = ScriptedAssertion()

    /// Runs jobs in one transaction, and returns the error code of each, in the order of the ends.
    private func run(
        _ bodies: [@Sendable (Database) throws -> Void]
    ) async throws -> (codes: [StoreError.Code?], rows: Int64?) {
        let gate = WriteGate(assertion)
        let hold = try await gate.enter()
        defer { gate.leave() }
        let (commits, codes) = (CommitQueue(), Box<[StoreError.Code?]>([]))
        for body in bodies {
            let job = CommitQueue.Job(hold: hold) { db in
                try body(db)
                return (CommitEffects(), { codes.change { $0.append(nil) } })
            } failed: { error in
                codes.change { $0.append(StoreError.from(error, doing: "run a job", path: "").code) }
            }
            commits.add(job)
        }
        let queue = try DatabaseQueue()
        let rows = try await queue.writeWithoutTransaction { [assertion] db in
            try db.execute(sql: "CREATE TABLE note (id)")
            db.add(
                function: DatabaseFunction("expire", argumentCount: 0) { _ in
                    assertion.expire()
                    return 1
                })
            commits.run(db) { jobs in
                var ends: [@Sendable () -> Void] = []
                try db.inTransaction(.immediate) {
                    ends = try db.runEach(jobs).ends
                    return .commit
                }
                for end in ends { end() }
            }
            return try db.integer("SELECT count(*) FROM note")
        }
        return (codes.value, rows)
    }

    private let note: @Sendable (Database) throws -> Void = { try $0.execute(sql: "INSERT INTO note VALUES (1)") }

    @Test func expiryDuringAReadOfOneJobUndoesTheWholeGroup() async throws {
        let (codes, rows) = try await run([
            note,
            { db in
                // It has no end, and expires at its first row. The interrupt leaves the transaction
                // open, because the statement only reads.
                let endless = "WITH RECURSIVE c(x) AS (SELECT expire() UNION ALL SELECT 1 FROM c)"
                _ = try db.integer(endless + " SELECT count(*) FROM c")
            }, note,
        ])
        #expect(codes == [.unavailable, .unavailable, .unavailable])
        #expect(rows == 0)
    }

    @Test func expiryBetweenTwoJobsUndoesTheWholeGroup() async throws {
        let (codes, rows) = try await run([note, { [assertion] _ in assertion.expire() }, note])
        #expect(codes == [.unavailable, .unavailable, .unavailable])
        #expect(rows == 0)
    }

    @Test func errorOfOneJobLeavesTheOthers() async throws {
        let (codes, rows) = try await run([note, { _ in throw StoreError(.changed, message: "refused") }, note])
        #expect(codes == [nil, .changed, nil])
        #expect(rows == 2)
    }
}
