import Synchronization
import Testing
import WharfCore

@testable import WharfSQLite

@Suite struct RecentUsesTests {
    @Test func marksAreDueAgainAfterAWriteThatFailed() {
        var marks = RecentUses(limit: 3)
        #expect((1...3).map { marks.mark($0) } == [false, false, true])
        let taken = marks.take()
        // A hit during the write.
        #expect(marks.mark(4) == false)
        marks.putBack(taken)
        #expect((5...8).map { marks.mark($0) } == [false, true, false, false])
        #expect(Set(marks.take()) == Set(1...8))
        #expect((1...4).map { marks.mark($0) } == [false, false, true, false])
    }

    @Test func marksThatCouldNotBeWrittenAreKept() async throws {
        let folder = try Scratch()
        let assertion = ScriptedAssertion()
        let incidents = Box(0)
        let store = try await SQLiteCacheStore.open(at: folder.path(), assertion: assertion) { _ in
            incidents.change { $0 += 1 }
        }
        let id = try await store.keep("https://a.test/1", [1])
        _ = try await store.body("https://a.test/1")
        assertion.grant(false)
        await store.writeMarks()
        #expect(incidents.value == 1)
        #expect(store.state.withLock { $0.marks.take() } == [id])
        assertion.grant(true)
        try await store.close()
    }
}
