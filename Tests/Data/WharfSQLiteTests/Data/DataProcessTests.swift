#if KillHarness
import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfKillHarness
import WharfSQLite
import WharfStorage

/// A second, real process on the same data file.
@Suite struct DataProcessTests {
    @Test func aCommitOfAnotherProcessIsReported() async throws {
        let folder = try Scratch()
        let clock = TestClock()
        let path = folder.path("data.sqlite")
        let file = try await SQLiteDataFile.open(at: path, pollInterval: .seconds(5), clock: clock)
        let store = SQLiteEntityStore(file)
        let stream = store.changes(of: nil, kind: "note", since: nil)
        #expect(try await store.rows(RowQuery(), of: nil, kind: "note").isEmpty)
        var changes = stream.makeAsyncIterator()
        for id in ["from another process", "again"] {
            try await run(["put", path, id])
            await clock.untilSleeping()
            clock.advance(by: .seconds(5))
            #expect(await changes.next()?.reported == .keys([.note(id)]))
            #expect(try await store.row(.note(id)) != nil)
        }
        try await run(["purge", path])
        await clock.untilSleeping()
        clock.advance(by: .seconds(5))
        #expect(await changes.next()?.reported == .all)
        #expect(try await store.rows(RowQuery(), of: nil, kind: "note").isEmpty)
        try await file.close()
    }

    @Test func concurrentOpensDoNotRace() async throws {
        for _ in 0..<5 {
            let folder = try Scratch()
            let path = folder.path("data.sqlite")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<4 { group.addTask { try await run(["put", path, "\(index)"]) } }
                try await group.waitForAll()
            }
            #expect(try folder.count("SELECT count(*) FROM entity", in: "data.sqlite") == 4)
        }
    }

    private func run(_ arguments: [String]) async throws {
        let harness = KillHarness(executable: try builtExecutable(named: "DataProbe"), arguments: arguments)
        let run = try await harness.run(killing: .never)
        #expect(run.exitCode == 0, "\(run.standardError)")
    }
}
#endif
