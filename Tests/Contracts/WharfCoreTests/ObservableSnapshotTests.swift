import Observation
import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes

@MainActor @Suite
struct ObservableSnapshotTests {
    /// A stream that the test feeds. It records whether its reader has left.
    final class Feed: Sendable {
        let snapshots: SnapshotSequence<String>
        let continuation: AsyncStream<Snapshot<String>>.Continuation
        let left = Gate()

        init() {
            let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
            self.continuation = continuation
            snapshots = SnapshotSequence { stream }
            continuation.onTermination = { [left] _ in
                left.open()
                Task { await left.pass() }
            }
        }
    }

    static let failure = ReadFailure(.offline, message: "scripted")

    static func snapshot(
        _ value: String, error: ReadFailure? = nil, fetch: FetchStatus = .idle
    ) -> Snapshot<String> {
        Snapshot(
            kept: .init(value: value, source: .network, asOf: WallTime(secondsSince1970: 1)), error: error, fetch: fetch
        )
    }

    /// Returns once a value that `read` reads has changed.
    private func change(after act: () -> Void, of read: () -> Void) async {
        await withCheckedContinuation { continuation in
            withObservationTracking(read) { continuation.resume() }
            act()
        }
        // Observation announces the change before it is made, on this actor.
        await Task.yield()
    }

    @Test func observableAnnouncesChangesAndShowsValueWithError() async {
        let feed = Feed()
        let user = ObservableSnapshot(feed.snapshots)
        #expect(user.snapshot.fetch == .refreshing && user.value == nil && user.error == nil)
        await change(after: { feed.continuation.yield(Self.snapshot("a")) }, of: { _ = user.value })
        #expect(user.value == "a" && user.error == nil && user.snapshot.fetch == .idle)
        await change(
            after: { feed.continuation.yield(Self.snapshot("a", error: Self.failure)) }, of: { _ = user.error })
        #expect(user.value == "a" && user.error == Self.failure)
    }

    @Test func sequenceEndDuringARefreshLeavesSnapshotIdle() async {
        let feed = Feed()
        let user = ObservableSnapshot(feed.snapshots)
        await change(
            after: { feed.continuation.yield(Self.snapshot("a", fetch: .refreshing)) }, of: { _ = user.snapshot })
        await change(after: { feed.continuation.finish() }, of: { _ = user.snapshot })
        #expect(user.value == "a" && user.snapshot.fetch == .idle)
    }

    @Test func releasedObservableEndsItsRead() async {
        let feed = Feed()
        var user: ObservableSnapshot<String>? = ObservableSnapshot(feed.snapshots)
        await change(after: { feed.continuation.yield(Self.snapshot("a")) }, of: { _ = user?.value })
        await expectRelease(of: user, after: { user = nil }, within: .zero)
        await feed.left.arrivals()
    }

    @Test func observableReleasedBeforeItsReadEndsTheRead() async {
        let feed = Feed()
        var user: ObservableSnapshot<String>? = ObservableSnapshot(feed.snapshots)
        await expectRelease(of: user, after: { user = nil }, within: .zero)
        await feed.left.arrivals()
    }
}
