import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRandom
import WharfSQLite
import WharfStorage

/// Two files open on one path, as in two processes.
@Suite struct ChangeTests {
    private let folder: Scratch
    private let clock = TestClock()
    private static let interval = Duration.seconds(3)

    init() throws { folder = try Scratch() }

    private func open() async throws -> SQLiteDataFile {
        try await SQLiteDataFile.open(at: folder.path("data.sqlite"), pollInterval: Self.interval, clock: clock)
    }

    private func tick() async {
        await clock.untilSleeping()
        clock.advance(by: Self.interval)
    }

    @Test func commitOfOtherConnectionIsReportedAtTheNextPoll() async throws {
        let (mine, other) = (try await open(), try await open())
        let store = SQLiteEntityStore(mine)
        var changes = store.changes(of: nil, kind: "note", since: nil).makeAsyncIterator()
        try await SQLiteEntityStore(other).commit([.put(.note("x")), .remove(.note("never"))])
        await tick()
        #expect(await changes.next()?.reported == .keys([.note("x"), .note("never")]))
        try await SQLiteEntityStore(other).commit([.remove(.note("x"))])
        await tick()
        #expect(await changes.next()?.reported == .keys([.note("x")]))
        try await mine.close()
        try await other.close()
    }

    @Test(arguments: [true, false]) func commitOfOtherConnectionIsReportedByTheNextReadOrCommit(
        byReading: Bool
    ) async throws {
        let (mine, other) = (try await open(), try await open())
        let store = SQLiteEntityStore(mine)
        let changes = store.changes(of: nil, kind: "note", since: nil)
        try await SQLiteEntityStore(other).commit([.put(.note("x"))])
        if byReading {
            _ = try await store.row(.note("any"))
            #expect(reported(changes) == .keys([.note("x")]))
        } else {
            try await store.commit([.put(.note("own"))])
            #expect(reported(changes) == .keys([.note("x"), .note("own")]))
        }
        #expect(reported(store.changes(of: nil, kind: "note", since: nil)) == nil)
        try await mine.close()
        try await other.close()
    }

    @Test func readersOfAnotherAccountOrKindHearNothing() async throws {
        let (mine, other) = (try await open(), try await open())
        let store = SQLiteEntityStore(mine)
        let changes = store.changes(of: Account("me"), kind: "note", since: nil)
        try await SQLiteEntityStore(other).commit([
            .put(.note("1")), .put(.note("2", of: Account("you"))),
            .put(
                EntityRow(key: EntityKey(account: Account("me"), kind: "draft", id: "3"), bytes: [], asOf: .distantPast)
            ),
        ])
        _ = try await store.row(.note("any"))
        #expect(reported(changes) == nil)
        try await SQLiteEntityStore(other).commit([.put(.note("4", of: Account("me")))])
        _ = try await store.row(.note("any"))
        #expect(reported(changes) == .keys([.note("4", of: Account("me"))]))
        try await mine.close()
        try await other.close()
    }

    @Test func purgeByOtherConnectionIsReported() async throws {
        let (mine, other) = (try await open(), try await open())
        try await SQLiteEntityStore(other).commit([.put(.note("x", of: Account("me")))])
        let changes = SQLiteEntityStore(mine).changes(of: Account("me"), kind: "note", since: nil)
        _ = try await SQLiteEntityStore(mine).row(.note("any"))
        _ = reported(changes)
        try await SQLiteEntityStore(other).removeAll(of: Account("me"))
        let again = SQLiteEntityStore(mine).changes(of: Account("me"), kind: "note", since: nil)
        _ = try await SQLiteEntityStore(mine).row(.note("any"))
        #expect(reported(again) == .all)
        try await mine.close()
        try await other.close()
    }

    @Test func readerBehindThePrunedLogGetsAllKeys() async throws {
        let (mine, other) = (try await open(), try await open())
        let changes = SQLiteEntityStore(mine).changes(of: nil, kind: "note", since: nil)
        let writer = SQLiteEntityStore(other)
        for batch in 0..<12 {
            try await writer.commit((0..<1000).map { .remove(.note("\(batch)-\($0)")) } + [.put(.note("\(batch)"))])
        }
        try await writer.commit([.put(.note("first", of: Account("new")))])
        _ = try await SQLiteEntityStore(mine).row(.note("any"))
        #expect(reported(changes) == .all)
        // The log does not keep so many keys.
        #expect(try folder.count("SELECT count(*) FROM change", in: "data.sqlite") == 1)
        #expect(try folder.count("SELECT count(*) FROM tombstone", in: "data.sqlite") == 0)
        let later = SQLiteEntityStore(mine).changes(of: nil, kind: "note", since: nil)
        for batch in 0..<12 {
            try await writer.commit((0..<900).map { .put(.note("\(batch)-\($0)")) })
        }
        #expect(try folder.count("SELECT count(*) FROM change", in: "data.sqlite") <= 10_000)
        _ = try await SQLiteEntityStore(mine).row(.note("any"))
        #expect(reported(later) == .all)
        try await mine.close()
        try await other.close()
    }

    @Test func pollingServesAReaderThatComesLater() async throws {
        let (mine, other) = (try await open(), try await open())
        let store = SQLiteEntityStore(mine)
        var changes: EntityFeed? = store.changes(of: nil, kind: "note", since: nil)
        await clock.untilSleeping()
        #expect(changes != nil)
        changes = nil
        clock.advance(by: Self.interval)
        // There is an observer that polls, whether the old one has ended or not.
        var later = store.changes(of: nil, kind: "note", since: nil).makeAsyncIterator()
        try await SQLiteEntityStore(other).commit([.put(.note("x"))])
        await tick()
        #expect(await later.next()?.reported == .keys([.note("x")]))
        try await mine.close()
        try await other.close()
    }

    /// A mirror that reads the announced keys again equals the store, regardless of the writer.
    @Test(arguments: 1...6 as ClosedRange<UInt64>) func mirrorOfChangesFollowsAllCommits(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (mine, other) = (try await open(), try await open())
        let (store, writers) = (SQLiteEntityStore(mine), [SQLiteEntityStore(mine), SQLiteEntityStore(other)])
        try await writers[1].commit([.put(.note("0"))])
        let changes = store.changes(of: nil, kind: "note", since: nil)
        var mirror: [EntityKey: EntityRow] = [:]
        for row in try await store.rows(RowQuery(), of: nil, kind: "note") { mirror[row.key] = row }
        for round in 0..<60 {
            for _ in 0...Int(random.next() % 3) {
                let key = EntityKey.note("\(random.next() % 20)")
                let change: EntityChange =
                    random.next() % 3 == 0 ? .remove(key) : .put(.note(key.id, [UInt8(random.next() % 256)]))
                try await writers[Int(random.next() % 2)].commit([change])
            }
            if random.next() % 10 == 0 { try await writers[Int(random.next() % 2)].removeAll(of: nil) }
            if random.next() % 2 == 0 { continue }
            // Every change committed before this read is announced after it.
            _ = try await store.row(.note("any"))
            while let change = reported(changes) {
                if change == .all { mirror = [:] }
                let all = try await store.rows(RowQuery(), of: nil, kind: "note").map(\.key)
                let keys = if case .keys(let some) = change { some } else { Set(all) }
                for key in keys { mirror[key] = try await store.row(key) }
            }
            let rows = try await store.rows(RowQuery(), of: nil, kind: "note")
            let isSame = Set(mirror.values) == Set(rows)
            #expect(isSame, "seed \(seed), round \(round): \(mirror.keys.map(\.id)), \(rows.map(\.key.id))")
        }
        try await mine.close()
        try await other.close()
    }
}

/// The keys announced so far, or nil if there are none.
func reported(_ changes: EntityFeed) -> ReportedKeys? { EntityStoreLaws.reported(changes) }
