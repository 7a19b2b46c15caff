import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfSQLite
import WharfStorage

/// Assigned ids that arrived when no process could write them into the waiting entries.
struct OwedIDTests {
    @Test func assignedIDsAreInsertedByTheNextProcess() async throws {
        let folder = try Scratch()
        let api = RecordingDestination("api", kinds: ["note"]) { entry, _ in
            Delivery(.delivered, assignedIDs: ["<new>": "17"])
        }
        var new = OutboxEntry.sample("new", lane: "new")
        new.kind = .init("note")
        var edit = OutboxEntry.sample("edit", lane: "edit")
        (edit.kind, edit.payload, edit.dependencies) = (.init("later"), Array("<new>".utf8), [new.id])
        let first = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let before = OutboxEngine(store: SQLiteWriteStore(first), destinations: [api])
        before.start()
        try await before.enqueue(new, edit)
        #expect(try await before.outcome(of: new.id) == ["api": .delivered])
        await before.close()
        try await first.close()
        let later = RecordingDestination(
            "api", kinds: ["note", "later"],
            rewriting: { payload, ids in Array((ids[String(decoding: payload, as: UTF8.self)] ?? "lost").utf8) })
        let second = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let after = OutboxEngine(store: SQLiteWriteStore(second), destinations: [later])
        after.start()
        #expect(try await after.outcome(of: edit.id) == ["api": .delivered])
        await after.close()
        try await second.close()
        #expect(later.received.map(\.payload) == [Array("17".utf8)] && later.received.map(\.key) == [edit.key])
    }
}
