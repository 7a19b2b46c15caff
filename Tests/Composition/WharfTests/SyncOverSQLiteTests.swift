import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfSQLite
import WharfStorage

/// A sync into a data file.
struct SyncOverSQLiteTests {
    private struct Note: Codable, Equatable, Identifiable, Sendable {
        let id: Int
    }

    private static let notes = EntityKind<Note>("note", codec: .json)
    private static let three = [Note(id: 1), Note(id: 2), Note(id: 3)]

    @Test func largeCommitOfAnotherKindDoesNotDisturbASync() async throws {
        try await TemporaryFolder.run { folder in
            let file = try await SQLiteDataFile.open(at: folder["data.sqlite"])
            let store = SQLiteEntityStore(file)
            let gate = Gate()
            let source = RemoteSource<Note>(get: { Note(id: $0) }).syncing { token in
                await gate.pass()
                return SyncPage(changed: token == nil ? Self.three : [], nextToken: "1")
            }
            let notes = Repository(Self.notes, in: store, remote: source)
            async let synced = notes.sync()
            await gate.arrivals()
            // More keys than the log of changes keeps. From then on absent keys count as changed.
            let rows = (0..<1_200).map { index in
                EntityRow(key: EntityKey(kind: "task", id: "\(index)"), bytes: [], asOf: WallTime(nanoseconds: 0))
            }
            try await store.commit(rows.map(EntityChange.put))
            gate.open()
            _ = try await synced
            #expect(await notes.storedListSnapshot().value == Self.three)
            notes.close()
            try await file.close()
        }
    }

    @Test func salvagedFileSyncsAllModelsAgain() async throws {
        try await TemporaryFolder.run { folder in
            let source = RemoteSource<Note>(get: { Note(id: $0) }).syncing { token in
                SyncPage(changed: token == nil ? Self.three : [], nextToken: "1")
            }
            let file = try await SQLiteDataFile.open(at: folder["data.sqlite"])
            try await Repository(Self.notes, in: SQLiteEntityStore(file), remote: source).sync()
            try await file.close()
            _ = try await SQLiteDataFile.salvage(from: folder["data.sqlite"], to: folder["new.sqlite"])
            let salvaged = try await SQLiteDataFile.open(at: folder["new.sqlite"])
            let store = SQLiteEntityStore(salvaged)
            // A model that could not be read from the damaged file.
            try await store.commit([.remove(EntityKey(kind: "note", id: "2"))])
            let notes = Repository(Self.notes, in: store, remote: source)
            try await notes.sync()
            #expect(await notes.storedListSnapshot().value == Self.three)
            notes.close()
            try await salvaged.close()
        }
    }
}
