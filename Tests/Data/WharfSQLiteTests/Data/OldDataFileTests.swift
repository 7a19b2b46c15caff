import Foundation
import GRDB
import Testing
import WharfCore
import WharfCoreLaws
import WharfSQLite
import WharfStorage

/// A data file of version 2 is migrated, and salvaged if it is damaged.
@Suite struct OldDataFileTests {
    private static let accounts: [Account?] = [nil, Account("ann"), Account("bob \u{E9}")]
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private func make(_ name: String = "data.sqlite") throws {
        let queue = try DatabaseQueue(path: folder.path(name))
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: OldDataFile.sql)
            // Moves the tables to their original pages.
            try db.execute(sql: "VACUUM")
        }
        try queue.close()
    }

    /// The rows that were put before the dump.
    private static func rows(of account: Account?) -> [EntityRow] {
        (0..<6).flatMap { id in
            var fields: [String: FieldValue] = ["n": FieldValue(Int64(id)), "title": FieldValue("title \(id)")]
            if id % 2 == 0 { fields["score"] = FieldValue(Double(id) / 4) }
            var note = EntityRow(
                key: .note("\(id)", of: account), schema: id, bytes: Array("note \(id)".utf8),
                asOf: WallTime(nanoseconds: Int64(id) + 1), staleAt: id == 3 ? WallTime(nanoseconds: 99) : nil,
                fields: fields)
            note.validator = id == 4 ? "\"v4\"" : nil
            var draft = note
            draft.key.kind = "draft"
            draft.fields = [:]
            return (id == 5 ? [] : [note]) + (id < 2 ? [draft] : [])
        }
    }

    private func found(in file: SQLiteDataFile) async throws -> Set<EntityState> {
        var found: Set<EntityState> = []
        for account in Self.accounts + [Account("gone")] {
            for kind in ["note", "draft"] {
                found.formUnion(
                    try await SQLiteEntityStore(file).states(RowQuery(), of: account, kind: kind).states)
            }
        }
        return found
    }

    private static func states(at version: Int64) -> Set<EntityState> {
        Set(accounts.flatMap(rows).map { EntityState(row: $0, version: StoreVersion(version)) })
    }

    @Test func oldFileIsMigratedWithAllItsData() async throws {
        try make()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        #expect(try await found(in: file) == Self.states(at: 1))
        for index in 0..<3 {
            #expect(try await SQLiteKeyValueStore(file).value(for: "key-\(index)") == [UInt8(index)])
        }
        let store = SQLiteWriteStore(file)
        for account in Self.accounts {
            let ids = try await store.records(of: account, after: nil, limit: 9).map(\.entry.id.text)
            #expect(ids == (0..<3).map { "entry-\(account?.name ?? "none")-\($0)" })
            let (one, removed) = (EntityKey.note("1", of: account), EntityKey.note("5", of: account))
            let states = try await store.states(of: [one, removed])
            #expect(states.versions == [account: StoreVersion(1)])
            #expect(states[removed] == EntityState(row: nil, version: StoreVersion(1)))
            let received = await EntityStoreLaws.next(store.changes(of: account, since: .none))
            #expect(received == .everything(reached: StoreVersion(1)))
            let outcome = try await store.commit([.remove(one)], expecting: states.expectations)
            #expect(outcome == .committed([account: StoreVersion(2)]))
        }
        try await file.close()
        #expect(try folder.count("PRAGMA user_version", in: "data.sqlite") == 7)
        #expect(try folder.count("SELECT count(*) FROM wipe", in: "data.sqlite") == 0)
        try await SQLiteDataFile.open(at: folder.path("data.sqlite")).close()
    }

    /// The pause was caused by a 401, and today's engine would never end it.
    @Test func aPauseOfAnOldFileEnds() async throws {
        try make()
        try folder.tamper("data.sqlite", "INSERT INTO outbox_pause VALUES ('ann', x'00')")
        try await SQLiteDataFile.open(at: folder.path("data.sqlite")).close()
        #expect(try folder.count("SELECT count(*) FROM outbox_pause", in: "data.sqlite") == 0)
    }

    @Test func oldFileWithAnyDamagedPageIsSalvaged() async throws {
        try make()
        let whole = try folder.contents("data.sqlite")
        let all = Self.states(at: 1)
        var lost = 0
        for page in -1..<whole.count / 4096 {
            try whole.write(to: URL(fileURLWithPath: folder.path("damaged")))
            if page >= 0 {
                try folder.overwrite("damaged", at: page * 4096, with: [UInt8](repeating: 0xAA, count: 4096))
            }
            let target = folder.path("new\(page)")
            let salvaged = try await SQLiteDataFile.salvage(from: folder.path("damaged"), to: target)
            let file = try await SQLiteDataFile.open(at: target)
            let rows = Set(try await found(in: file).compactMap(\.row).map(\.key))
            let entries = try await SQLiteWriteStore(file).records(of: nil, after: nil, limit: 9).count
            try await file.close()
            #expect(rows.isSubset(of: Set(all.compactMap(\.row?.key))))
            #expect(salvaged.mayHaveLostMore || rows.count == all.count && entries == 3, "page \(page): \(salvaged)")
            if page <= 0 { #expect(rows.count == all.count && entries == 3, "page \(page): \(salvaged)") }
            if rows.count < all.count { lost += 1 }
        }
        // The table of accounts and kinds, and the table of rows.
        #expect(lost <= 2)
    }
}
