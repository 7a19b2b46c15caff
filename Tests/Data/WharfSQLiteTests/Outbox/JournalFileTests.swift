import Foundation
import GRDB
import Testing
import WharfCore
import WharfFakes
import WharfStorage
import WharfStores

@testable import WharfSQLite

/// Journals whose file is old or damaged, or whose account is removed.
@Suite struct JournalFileTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// A file as written by the version before journals.
    private func makeOldFile() throws {
        let old = Schema(
            noun: "a data file", applicationID: Schema.data.applicationID, objects: [:],
            steps: [try #require(Schema.data.steps.first)], census: nil)
        let queue = try DatabaseQueue(path: folder.path("data.sqlite"))
        try queue.writeWithoutTransaction { db in
            try old.prepare(db, path: "old")
            try db.inTransaction {
                try db.execute(sql: "INSERT INTO scope VALUES (1, '', 'note'); INSERT INTO name VALUES (1, 1, 'index')")
                for index in 0..<100 {
                    let sql = "INSERT INTO entity VALUES (?, 1, ?, 1, 5, NULL, NULL, x'01')"
                    try db.execute(sql: sql, arguments: [index, "\(index)"])
                    try db.execute(
                        sql: "INSERT INTO field VALUES (1, 1, ?, ?, ?)", arguments: [index, "\(index)", index])
                }
                return .commit
            }
        }
        try queue.close()
    }

    @Test func oldFileKeepsItsEntitiesAndGetsAJournal() async throws {
        try makeOldFile()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let store = SQLiteWriteStore(file)
        #expect(try await store.rows(RowQuery(sort: [SortKey("index")]), of: nil, kind: "note").count == 100)
        try await store.commit(Commit(entities: [.remove(.note("1"))], enqueued: [.sample("1")]))
        #expect(try await store.lease(.sample()).lanes.count == 1)
        try await file.close()
        #expect(try folder.count("PRAGMA user_version", in: "data.sqlite") == 7)
        #expect(try folder.count("SELECT count(*) FROM wipe", in: "data.sqlite") == 0)
    }

    /// A file as written by version 3.
    private func makeFileWithoutOwners() throws {
        let queue = try DatabaseQueue(path: folder.path("data.sqlite"))
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try Schema.dataBeforeOwners.prepare(db, path: "old")
            try db.execute(
                sql: """
                    INSERT INTO scope VALUES (1, '', 'note');
                    INSERT INTO account VALUES (\(VersionTables.id(nil)), 4, 0);
                    INSERT INTO entity VALUES (1, 1, '1', 4, NULL, 1, 5, NULL, NULL, x'01');
                    """)
        }
        try queue.close()
    }

    @Test(arguments: [false, true]) func aFileWithoutOwnersIsSalvaged(isFirstPageDamaged: Bool) async throws {
        try makeFileWithoutOwners()
        if isFirstPageDamaged {
            try folder.overwrite("data.sqlite", at: 0, with: [UInt8](repeating: 0xAA, count: 4096))
        }
        let salvaged = try await SQLiteDataFile.salvage(
            from: folder.path("data.sqlite"), to: folder.path("new.sqlite"))
        #expect(salvaged.rowsRead == 1 && !salvaged.mayHaveLostMore)
        let file = try await SQLiteDataFile.open(at: folder.path("new.sqlite"))
        #expect(try await SQLiteEntityStore(file).row(.note("1"))?.bytes == [1])
        try await file.close()
        #expect(try folder.count("PRAGMA user_version", in: "new.sqlite") == 7)
    }

    /// A file as written by version 6, with the pause of an account.
    private func makeFileWithOldPauses(hasWords: Bool = false) throws {
        let queue = try DatabaseQueue(path: folder.path("data.sqlite"))
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try Schema.dataBeforePauses.prepare(db, path: "old")
            try db.execute(
                sql: """
                    INSERT INTO scope VALUES (1, '', 'note');
                    INSERT INTO name VALUES (1, 1, 'title');
                    INSERT INTO account VALUES (\(VersionTables.id(nil)), 4, 0);
                    INSERT INTO entity VALUES (1, 1, '1', 4, NULL, 1, 5, NULL, NULL, x'01');
                    INSERT INTO outbox_pause VALUES ('.ann', x'00');
                    """)
            if try hasWords && WordTables(db: db).isAvailable { try WordTables(db: db).make(1) {} }
        }
        try queue.close()
    }

    @Test(arguments: [false, true]) func aFileWithOldPausesIsSalvaged(isFirstPageDamaged: Bool) async throws {
        try makeFileWithOldPauses()
        if isFirstPageDamaged {
            try folder.overwrite("data.sqlite", at: 0, with: [UInt8](repeating: 0xAA, count: 4096))
        }
        let salvaged = try await SQLiteDataFile.salvage(
            from: folder.path("data.sqlite"), to: folder.path("new.sqlite"))
        #expect(salvaged.rowsRead == 1 && !salvaged.mayHaveLostMore)
        #expect(try folder.count("SELECT count(*) FROM outbox_pause", in: "new.sqlite") == 0)
        #expect(try folder.count("PRAGMA user_version", in: "new.sqlite") == 7)
    }

    @Test func aPauseOutlastsTheProcess() async throws {
        let place = PausedDestination("api", of: Account("ann"))
        let pause = OutboxPause(since: WallTime(secondsSince1970: 7), reason: "the service moves")
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        var commit = Commit(enqueued: [.sample("1", of: place.account)])
        commit.paused = [place: pause]
        try await SQLiteWriteStore(file).commit(commit)
        try await file.close()
        let again = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let store = SQLiteWriteStore(again)
        #expect(try await store.counts(of: place.account).paused == ["api": pause])
        #expect(try await store.lease(.sample(of: place.account)).lanes.isEmpty)
        try await again.close()
    }

    /// Salvage uses the first page of a new file if that of the damaged one can't be read.
    @Test(arguments: [1, 3, 6]) func migratedFileHasItsTablesOnThePagesOfANewOne(version: Int) async throws {
        switch version {
        case 1: try makeOldFile()
        case 3: try makeFileWithoutOwners()
        default: try makeFileWithOldPauses(hasWords: true)
        }
        for name in ["data.sqlite", "new.sqlite"] {
            try await SQLiteDataFile.open(at: folder.path(name)).close()
        }
        let roots = try ["data.sqlite", "new.sqlite"].map { name in
            let queue = try DatabaseQueue(path: folder.path(name))
            return try queue.read { db in
                try Row.fetchAll(db, sql: "SELECT name, rootpage FROM sqlite_master ORDER BY name").map {
                    [($0["name"] as String), "\($0["rootpage"] as Int)"]
                }
            }
        }
        #expect(roots[0] == roots[1])
    }

    /// If any one page is damaged, the new file contains only entries of the old one. A delivery
    /// whose state is lost is attempted again.
    @Test func salvageLosesOnlyEntriesOfTheDamagedPage() async throws {
        let path = folder.path("data.sqlite")
        let file = try await SQLiteDataFile.open(at: path)
        let entries = (0..<300).map { OutboxEntry.sample("entry \($0)", 150, lane: "lane \($0 % 40)") }
        try await SQLiteWriteStore(file).commit(Commit(enqueued: entries))
        try await file.close()
        let whole = try folder.contents("data.sqlite")
        var lost: [Int] = []
        for page in 0..<whole.count / 4096 {
            try whole.write(to: URL(fileURLWithPath: folder.path("damaged")))
            try folder.overwrite("damaged", at: page * 4096, with: [UInt8](repeating: 0xAA, count: 4096))
            let target = folder.path("new-\(page)")
            let salvaged = try await SQLiteDataFile.salvage(from: folder.path("damaged"), to: target)
            let new = try await SQLiteDataFile.open(at: target)
            let found = try await SQLiteWriteStore(new).records(of: nil, after: nil, limit: .max)
            #expect(found.map(\.entry).allSatisfy { entries.contains($0) })
            #expect(found.allSatisfy { if case .pending(0, _, nil) = $0.states["api"] { true } else { false } })
            #expect(found.count == salvaged.rowsRead)
            #expect(salvaged.mayHaveLostMore || found.count == 300, "page \(page)")
            lost.append(300 - found.count)
            try await new.close()
        }
        #expect(lost.count > 20)
        // Only the root page costs more, as all pages of entries hang from it.
        #expect(lost.filter { $0 > 30 }.count <= 1)
    }

    @Test func purgeLeavesNoByteOfPendingDeliveries() async throws {
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let clock = TestClock()
        let store = SQLiteWriteStore(file, uptime: clock.uptime)
        let (gone, stays) = (Account("mark-of-account"), Account("stays"))
        for round in 0..<30 {
            var commit = Commit()
            for account in [gone, stays] {
                var entry = OutboxEntry.sample(
                    "\(account.name)-\(round)", lane: "mark-of-lane-\(account.name)", of: account)
                entry.payload = Array("mark-of-payload-\(account.name)".utf8)
                if round % 3 == 0 { entry.targets = .first(of: "api", "other") }
                if round > 0 { entry.dependencies = [OutboxEntry.ID("mark-of-account-\(round - 1)")] }
                commit.enqueued.append(entry)
            }
            commit.paused = [
                PausedDestination("api", of: gone): OutboxPause(since: .distantPast, reason: "mark-of-payload-mark")
            ]
            try await store.commit(commit)
        }
        #expect(try await store.lease(.sample(of: stays)).lanes.first?.deliveries.count == 1)
        try await store.removeAll(of: gone)
        var bytes = Data()
        for name in try folder.names { bytes += try folder.contents(name) }
        #expect(bytes.range(of: Data("mark-of-payload-mark".utf8)) == nil)
        #expect(bytes.range(of: Data("mark-of-lane-mark".utf8)) == nil)
        let counts = try await store.counts(of: gone)
        #expect(counts == OutboxCounts())
        #expect(try await store.counts(of: stays).pending.values.reduce(0, +) == 40)
        // The entries that they depended on are removed.
        let waiting = try await store.records(of: stays, after: nil, limit: 100).filter { $0.states["api"] == .waiting }
        #expect(waiting.isEmpty)
        clock.advance(by: .seconds(100))
        #expect(try await store.lease(.sample(of: stays)).lanes.first?.deliveries.count == 30)
        try await file.close()
    }

    @Test func entriesAreSalvagedWithTheirDeliveryStates() async throws {
        let path = folder.path("data.sqlite")
        let file = try await SQLiteDataFile.open(at: path)
        var play = JournalPlay(seed: 77, file: file, remembering: 3)
        for _ in 0..<400 { _ = try await play.step() }
        let before = try await contents(SQLiteWriteStore(file))
        #expect(before.records.contains { $0.states.count > 1 })
        try await file.close()
        let remembered = try memory("data.sqlite")
        #expect(remembered.allSatisfy { !$0.isEmpty }, "\(remembered)")
        let salvaged = try await SQLiteDataFile.salvage(from: path, to: folder.path("new.sqlite"))
        #expect(salvaged.rowsRead == before.records.count && salvaged.rowsLost == 0 && !salvaged.mayHaveLostMore)
        #expect(!salvaged.mayHaveForgotten)
        let new = try await SQLiteDataFile.open(at: folder.path("new.sqlite"))
        let after = try await contents(SQLiteWriteStore(new))
        #expect(after == before)
        try await new.close()
        #expect(try memory("new.sqlite") == remembered)
    }

    @Test func purgeIsSalvagedWithoutTheAccountName() async throws {
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let store = SQLiteWriteStore(file)
        let gone = Account("mark-of-account")
        for name in ["1", "2"] { try await store.commit(Commit(enqueued: [.sample(name, lane: name, of: gone)])) }
        let lanes = try await store.lease(.sample(of: gone)).lanes
        try await store.removeAll(of: gone)
        for name in try folder.names {
            #expect(try folder.contents(name).range(of: Data("mark-of-account".utf8)) == nil, "\(name)")
        }
        try await file.close()
        let salvaged = try await SQLiteDataFile.salvage(
            from: folder.path("data.sqlite"), to: folder.path("new.sqlite"))
        #expect(!salvaged.mayHaveLostMore)
        let new = try await SQLiteDataFile.open(at: folder.path("new.sqlite"))
        let again = SQLiteWriteStore(new)
        try await again.commit(Commit(enqueued: [.sample("3", of: gone)]))
        let next = try #require(try await again.lease(.sample(of: gone)).lanes.first)
        #expect(next.lease.number > (lanes.map(\.lease.number).max() ?? .max))
        for (lane, name) in [(lanes[0], "late"), (next, "new")] {
            var commit = Commit(entities: [.put(.note(name, of: gone))], enqueued: [])
            commit.settled = [
                Settlement(lane.deliveries[0].id, under: lane.lease, .delivered, attempts: 1, attemptedAt: .distantPast)
            ]
            try await again.commit(commit)
        }
        #expect(try await again.rows([.note("late", of: gone), .note("new", of: gone)]).keys.map(\.id) == ["new"])
        try await new.close()
    }

    /// The rows that are kept for late entries.
    private func memory(_ name: String) throws -> [[String]] {
        let queue = try DatabaseQueue(path: folder.path(name))
        return try ["assigned", "discarded", "forgotten"].map { table in
            try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM outbox_\(table) ORDER BY 1").map { "\($0)" } }
        }
    }

    private struct Contents: Equatable {
        var records: [OutboxRecord] = []
        var letters: [DeadLetter] = []
        var counts: [OutboxCounts] = []
        var ids: [[String: String]] = []
    }

    private func contents(_ store: SQLiteWriteStore) async throws -> Contents {
        var contents = Contents()
        for account in JournalSamples.accounts {
            // Compared by order, as salvaged entries have other positions.
            for (index, record) in try await store.records(of: account, after: nil, limit: .max).enumerated() {
                contents.records.append(
                    OutboxRecord(entry: record.entry, position: Int64(index), states: record.states))
            }
            contents.letters += try await store.deadLetters(of: account, after: nil, limit: .max)
            contents.counts.append(try await store.counts(of: account))
            contents.ids.append(try await store.assignedIDs(for: Set((0..<4).map { "temporary-\($0)" }), of: account))
        }
        return contents
    }
}
