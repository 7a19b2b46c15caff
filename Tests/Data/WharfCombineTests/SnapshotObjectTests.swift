import Testing
import WharfChecks
import WharfCombine
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

@MainActor @Suite
struct SnapshotObjectTests {
    typealias Model = RepositoryLaws.Model

    @Test func objectAnnouncesChangesAndShowsValueWithError() async throws {
        let feed = Feed()
        let user = SnapshotObject(feed.snapshots)
        #expect(user.snapshot.fetch == .refreshing && user.value == nil && user.error == nil)
        var before: [String?] = []
        let token = user.objectWillChange.sink { [weak user] _ in before.append(user?.value?.name) }
        try await feed.readers(1)
        feed.send("a")
        try await until("the value") { user.value?.name == "a" }
        feed.send(.named("a", error: .scripted))
        try await until("the failure") { user.error == .scripted }
        #expect(user.value?.name == "a" && before == [nil, "a"])
        token.cancel()
    }

    @Test func objectPublishesItsSnapshot() async throws {
        let feed = Feed()
        let user = SnapshotObject(feed.snapshots)
        var names: [String?] = []
        let token = user.$snapshot.sink { names.append($0.value?.name) }
        try await feed.readers(1)
        feed.send("a")
        try await until("the value") { names == [nil, "a"] }
        token.cancel()
    }

    @Test func releasedObjectEndsItsRead() async throws {
        let feed = Feed()
        var user: SnapshotObject<Model>? = SnapshotObject(feed.snapshots)
        weak let gone = user
        try await feed.readers(1)
        feed.send("a")
        try await until("the value") { user?.value?.name == "a" }
        user = nil
        #expect(gone == nil)
        try await feed.readers(0)
    }
}
