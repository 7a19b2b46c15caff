import Foundation
import Testing
import WharfCore
import WharfSQLite
import WharfStorage

@Suite struct SalvageTests {
    private static let rows: [EntityKey: EntityRow] = Dictionary(
        uniqueKeysWithValues: (0..<150).map { index in
            let row = EntityRow.note(
                "id-\(index)", [UInt8](repeating: UInt8(index), count: 300), of: index % 3 == 0 ? nil : Account("me"),
                ["number": FieldValue(Int64(index)), "text": FieldValue(String(repeating: "t\(index)", count: 10))]
            )
            return (row.key, row)
        })

    private func fill(_ path: String) async throws {
        let file = try await SQLiteDataFile.open(at: path)
        try await SQLiteEntityStore(file).commit(Self.rows.values.sorted { $0.key.id < $1.key.id }.map { .put($0) })
        for index in 0..<20 { try await SQLiteKeyValueStore(file).set([UInt8(index)], for: "key-\(index)") }
        try await file.close()
    }

    /// The contents of a file, with each entity compared with the one that was put.
    private func contents(_ path: String) async throws -> (rows: [EntityRow], values: Int) {
        let file = try await SQLiteDataFile.open(at: path)
        var found: [EntityRow] = []
        for account in [nil, Account("me")] {
            found += try await SQLiteEntityStore(file).rows(RowQuery(), of: account, kind: "note")
        }
        let names = try await SQLiteKeyValueStore(file).keys(withPrefix: "")
        for name in names {
            #expect(try await SQLiteKeyValueStore(file).value(for: name) == UInt8(name.dropFirst(4)).map { [$0] })
        }
        try await file.close()
        return (found, names.count)
    }

    @Test func salvageOfAWholeFileReadsEverything() async throws {
        let folder = try Scratch()
        try await fill(folder.path("data"))
        let salvaged = try await SQLiteDataFile.salvage(from: folder.path("data"), to: folder.path("new"))
        #expect(salvaged.rowsRead == 170 && salvaged.rowsLost == 0 && salvaged.rowsWithoutAllFields == 0)
        #expect(!salvaged.mayHaveLostMore)
        let found = try await contents(folder.path("new"))
        #expect(Set(found.rows) == Set(Self.rows.values))
        #expect(found.values == 20)
        let names = try folder.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        #expect(names == ["data", "data.lock", "new", "new.lock"])
    }

    @Test func salvageTakesVersionsNearTheLargestForDamage() async throws {
        let folder = try Scratch()
        try await fill(folder.path("data"))
        for table in ["account", "change", "entity"] {
            try folder.tamper("data", "UPDATE \(table) SET version = 9223372036854775807")
        }
        let salvaged = try await SQLiteDataFile.salvage(from: folder.path("data"), to: folder.path("new"))
        #expect(salvaged.rowsRead == 170)
        let file = try await SQLiteDataFile.open(at: folder.path("new"))
        try await SQLiteEntityStore(file).commit([.put(.note("new"))])
        try await file.close()
        // A step as large as for any lost version, so that no number is used twice.
        let version = try folder.count("SELECT max(version) FROM entity", in: "new")
        #expect(version > 1_000_000 && version < 2_000_000)
    }

    @Test func salvageReportsItsOwnErrorIfItCannotCleanUp() async throws {
        let folder = try Scratch()
        try Data("no database".utf8).write(to: URL(fileURLWithPath: folder.path("text")))
        // A directory can't be removed as a file.
        let obstacle = folder.path("new.damaged-copy.lock")
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        #expect(
            await storeErrorCode {
                _ = try await SQLiteDataFile.salvage(from: folder.path("text"), to: folder.path("new"))
            } == .corrupt)
        #expect(try folder.names == ["new.damaged-copy.lock", "text"])
    }

    @Test func salvageReadsTheLog() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path("data"))
        try await SQLiteEntityStore(file).commit([.put(.note("in the log"))])
        try folder.overwrite("data", at: 0, with: [UInt8](repeating: 0, count: 4096))
        for suffix in ["", "-wal"] {
            try folder.contents("data" + suffix).write(to: URL(fileURLWithPath: folder.path("killed" + suffix)))
        }
        let salvaged = try await SQLiteDataFile.salvage(from: folder.path("killed"), to: folder.path("new"))
        #expect(salvaged.rowsRead == 1)
        _ = await storeErrorCode { try await file.close() }
    }

    @Test(arguments: [false, true])
    func aFirstPageThatIsDamagedLosesNothing(wasRewritten: Bool) async throws {
        let folder = try Scratch()
        try await fill(folder.path("data"))
        if wasRewritten {
            let file = try await SQLiteDataFile.open(at: folder.path("data"))
            try await SQLiteEntityStore(file).commit([.put(.note("1", of: Account("gone")))])
            try await SQLiteEntityStore(file).removeAll(of: Account("gone"))
            try await file.close()
        }
        try folder.overwrite("data", at: 0, with: [UInt8](repeating: 0xAA, count: 4096))
        let salvaged = try await SQLiteDataFile.salvage(from: folder.path("data"), to: folder.path("new"))
        #expect(salvaged.rowsRead == 170 && !salvaged.mayHaveLostMore)
        #expect(Set(try await contents(folder.path("new")).rows) == Set(Self.rows.values))
    }

    @Test func salvageReadsAllButTheDamagedPage() async throws {
        let folder = try Scratch()
        try await fill(folder.path("data"))
        let whole = try folder.contents("data")
        let pages = whole.count / 4096
        #expect(pages > 20)
        var read = 0
        for page in 1..<pages {
            try whole.write(to: URL(fileURLWithPath: folder.path("damaged")))
            try folder.overwrite("damaged", at: page * 4096, with: [UInt8](repeating: 0xAA, count: 4096))
            let before = try folder.contents("damaged")
            let target = "new-\(page)"
            let salvaged = try await SQLiteDataFile.salvage(from: folder.path("damaged"), to: folder.path(target))
            #expect(try folder.contents("damaged") == before)
            let found = try await contents(folder.path(target))
            #expect(found.rows.count + found.values == salvaged.rowsRead)
            #expect(salvaged.mayHaveLostMore || salvaged.rowsRead == 170, "page \(page)")
            #expect(salvaged.rowsRead + salvaged.rowsLost >= 150, "page \(page): \(salvaged)")
            var damaged = 0
            for row in found.rows {
                let original = try #require(Self.rows[row.key])
                #expect(row.bytes == original.bytes)
                for (name, value) in row.fields { #expect(original.fields[name] == value) }
                damaged += row.fields == original.fields ? 0 : 1
            }
            #expect(damaged == salvaged.rowsWithoutAllFields, "page \(page)")
            read += salvaged.rowsRead
        }
        // A page holds few rows.
        #expect(read > (pages - 1) * 150)
    }

    @Test func salvageRefusesUnreadableFileOrTakenPath() async throws {
        let folder = try Scratch()
        try Data("no database".utf8).write(to: URL(fileURLWithPath: folder.path("text")))
        #expect(
            await storeErrorCode {
                _ = try await SQLiteDataFile.salvage(from: folder.path("text"), to: folder.path("new"))
            } == .corrupt)
        #expect(try folder.names == ["text"])
        #expect(
            await storeErrorCode {
                _ = try await SQLiteDataFile.salvage(from: folder.path("none"), to: folder.path("new"))
            } == .unavailable)
        #expect(
            await storeErrorCode {
                _ = try await SQLiteDataFile.salvage(from: folder.path("new"), to: folder.path("text"))
            } == .unavailable)
        #expect(try folder.names == ["text"])
    }
}
