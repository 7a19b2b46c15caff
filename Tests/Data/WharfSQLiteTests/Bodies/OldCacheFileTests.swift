import Foundation
import GRDB
import Testing
import WharfCore
import WharfFakes
import WharfSQLite
import WharfStorage

/// Cache files of version 2, before bodies had files of their own, and of version 3, before
/// responses had a top-level site.
@Suite struct OldCacheFileTests {
    /// The objects of version 2, as SQLite keeps their text.
    private static let tables = """
        CREATE TABLE response (id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, method TEXT NOT NULL, \
        target TEXT NOT NULL, varying BLOB NOT NULL, used INTEGER NOT NULL, size INTEGER NOT NULL, head BLOB NOT NULL);
        CREATE UNIQUE INDEX response_key ON response (account, target, method, varying);
        CREATE INDEX response_used ON response (used);
        CREATE TABLE body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        CREATE TABLE total (id INTEGER PRIMARY KEY CHECK (id = 1), bytes INTEGER NOT NULL, tick INTEGER NOT NULL);
        CREATE TRIGGER response_added AFTER INSERT ON response BEGIN \
        UPDATE total SET bytes = bytes + NEW.size; END;
        CREATE TRIGGER response_resized AFTER UPDATE OF size ON response BEGIN \
        UPDATE total SET bytes = bytes + NEW.size - OLD.size; END;
        CREATE TRIGGER response_removed AFTER DELETE ON response BEGIN \
        DELETE FROM body WHERE id = OLD.id; UPDATE total SET bytes = bytes - OLD.size; END;
        INSERT INTO total VALUES (1, 0, 0);
        CREATE TABLE wipe (id INTEGER PRIMARY KEY);
        PRAGMA application_id = 1466462822;
        PRAGMA user_version = 2;
        """

    /// The objects that version 3 has in addition.
    private static let tablesOfFiles = """
        CREATE TABLE body_file (id INTEGER PRIMARY KEY, token INTEGER NOT NULL);
        CREATE TABLE removed_file (token INTEGER PRIMARY KEY);
        CREATE TRIGGER response_file_removed AFTER DELETE ON response BEGIN \
        INSERT OR IGNORE INTO removed_file SELECT token FROM body_file WHERE id = OLD.id; \
        DELETE FROM body_file WHERE id = OLD.id; END;
        PRAGMA user_version = 3;
        """

    /// The heads of two responses, as both versions wrote them.
    private static let heads = [
        (
            "short", 5_000,
            """
            0188130000000000006df2c8c9a3528cf500ca9a3b000000000094357700000000c801024f4b020c436f6e74656e742d5479\
            70650a746578742f706c61696e044554616703223122007abc411bf2977d3b
            """
        ),
        (
            "long", 300_000,
            """
            01e093040000000000ef5c5b6664b82f8300ca9a3b000000000094357700000000c801024f4b020c436f6e74656e742d5479\
            70650a746578742f706c61696e044554616703223122001f488cad0d5ec93c
            """
        ),
    ]

    private static func body(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    @Test(arguments: [2, 3]) func oldCacheFileKeepsItsEntries(version: Int) async throws {
        let folder = try Scratch()
        try folder.tamper("cache.sqlite", Self.tables)
        if version == 3 { try folder.tamper("cache.sqlite", Self.tablesOfFiles) }
        for (name, length, head) in Self.heads {
            let target = "https://a.test/\(name)"
            try folder.tamper(
                "cache.sqlite",
                "INSERT INTO response (account, method, target, varying, used, size, head) VALUES ('', 'GET', ?, x'', ?, "
                    + "?, x'\(head)')",
                [target, length, 3 + target.utf8.count + 81 + length])
            try folder.tamper(
                "cache.sqlite", "INSERT INTO body SELECT max(id), ? FROM response", [Data(Self.body(length))])
        }
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        for (name, length, _) in Self.heads {
            let target = "https://a.test/\(name)"
            let variants = try await store.lookup(CacheKey(target: target)) { _ in nil }.variants
            #expect(variants.map(\.head) == [.sample])
            #expect(try await store.body(target) == Self.body(length))
            // A part of a long body in a row.
            let part = try await store.part(target, 1_000...Int64(length) - 1)
            #expect(try await part?.collect() == Array(Self.body(length)[1_000...]))
        }
        try await store.keepLarge("https://a.test/long", LargeBody.bytes(300_000))
        #expect(try folder.bodies.count == 1)
        #expect(try await store.body("https://a.test/long") == LargeBody.bytes(300_000))
        // The entry of an old file has no site, and that of a site stands beside it.
        let ofSite = CacheKey(topLevelSite: TopLevelSite("https://news.test"), target: "https://a.test/short")
        #expect(try await store.lookup(ofSite) { _ in nil }.variants.isEmpty)
        let writer = try await store.begin(ofSite, .sample)
        try await writer.append([1])
        _ = try await writer.commit()
        #expect(try await store.body("https://a.test/short") == Self.body(5_000))
        #expect(incidents.all.isEmpty)
        try await store.close()
        #expect(try folder.count("PRAGMA user_version") == 4)
        #expect(try folder.count("SELECT bytes FROM total") == folder.count("SELECT sum(size) FROM response"))
        #expect(try folder.count("SELECT count(*) FROM body") == 2)
    }
}
