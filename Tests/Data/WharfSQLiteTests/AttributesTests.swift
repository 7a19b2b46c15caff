import Testing
import WharfCore

@testable import WharfSQLite

/// The times at which a file gets its attributes. Their effect is the system's, and none on Linux.
@Suite struct AttributesTests {
    enum Kind: CaseIterable, Sendable {
        case data, cache

        func openAndClose(_ path: String, made: @escaping @Sendable (String) -> StoreError?) async throws {
            switch self {
            case .data:
                var probe = SQLiteDataProbe()
                probe.made = made
                try await SQLiteDataFile.open(at: path, probe: probe).close()
            case .cache:
                var probe = SQLiteCacheProbe()
                probe.made = made
                try await SQLiteCacheStore.open(at: path, probe: probe) { _ in }.close()
            }
        }
    }

    @Test(arguments: Kind.allCases) func newFolderAndFileGetTheAttributes(kind: Kind) async throws {
        let folder = try Scratch()
        let made = Box<[String]>([])
        let note: @Sendable (String) -> StoreError? = { path in
            made.change { $0.append(path) }
            // Called before SQLite has written to the file.
            #expect(path.hasSuffix("own") || Disk.size(path) == 0)
            return nil
        }
        let path = folder.path("deep/own/file.sqlite")
        try await kind.openAndClose(path, made: note)
        #expect(made.value == [folder.path("deep/own"), path])
        // An existing file keeps its attributes.
        try await kind.openAndClose(path, made: note)
        #expect(made.value.count == 2)
        try await kind.openAndClose(folder.path("deep/own/other.sqlite"), made: note)
        #expect(made.value.count == 3)
    }

    @Test(arguments: Kind.allCases) func fileIsNotMadeIfItsAttributesAreRefused(kind: Kind) async throws {
        let folder = try Scratch()
        let path = folder.path("own/file.sqlite")
        for refused in ["own", "file.sqlite"] {
            let code = await storeErrorCode {
                try await kind.openAndClose(path) { made in
                    made.hasSuffix(refused) ? StoreError(.unavailable, message: "no") : nil
                }
            }
            #expect(code == .unavailable)
            #expect(!Disk.exists(path))
        }
        let made = Box(0)
        try await kind.openAndClose(path) { _ in
            made.change { $0 += 1 }
            return nil
        }
        // The file alone, as its folder existed before.
        #expect(made.value == 1)
    }

    @Test func recreatedCacheGetsTheAttributesAgain() async throws {
        let folder = try Scratch()
        try await Kind.cache.openAndClose(folder.path()) { _ in nil }
        try folder.tamper("cache.sqlite", "DROP TABLE body")
        let made = Box<[String]>([])
        try await Kind.cache.openAndClose(folder.path()) { path in
            made.change { $0.append(path) }
            return nil
        }
        #expect(made.value == [folder.path()])
    }
}
