import Testing
import WharfChecks
import WharfCombine
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// The form of the article: values, then the failure as the completion.
struct ValuePublisherTests {
    typealias Model = RepositoryLaws.Model

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let snapshots: [Snapshot<Model>]
        let values: [String]
        var failure: ReadFailure?
    }

    static let gone = ReadFailure(.status, message: "404", response: HTTPResponse(status: .notFound))

    static let rows: [Row] = [
        Row(
            testDescription: "value, then its refresh fails",
            snapshots: [.named("a", fetch: .refreshing), .named("a", error: .scripted)], values: ["a"],
            failure: .scripted),
        Row(
            testDescription: "value and failure at once", snapshots: [.named("a", error: .scripted)], values: ["a"],
            failure: .scripted),
        Row(
            testDescription: "a newer value stands beside the failure",
            snapshots: [.named("a", fetch: .refreshing), .named("b", at: 2, error: .scripted)], values: ["a", "b"],
            failure: .scripted),
        Row(
            testDescription: "nothing, then a failure",
            snapshots: [Snapshot(kept: nil, fetch: .refreshing), Snapshot(kept: nil, error: .scripted)], values: [],
            failure: .scripted),
        Row(
            testDescription: "an answer takes the value away",
            snapshots: [.named("a", fetch: .refreshing), Snapshot(kept: nil, error: gone)], values: ["a"],
            failure: gone),
        Row(
            testDescription: "a refresh under way has not failed",
            snapshots: [.named("a", error: .scripted, fetch: .refreshing), .named("b", at: 2)], values: ["a", "b"]),
        Row(
            testDescription: "waiting for a network is a failure",
            snapshots: [.named("a", error: .scripted, fetch: .paused)], values: ["a"], failure: .scripted),
        Row(
            testDescription: "a refresh that begins repeats nothing",
            snapshots: [.named("a"), .named("a", fetch: .refreshing), .named("a", at: 2)], values: ["a", "a"]),
        Row(
            testDescription: "two answers of one moment are both news", snapshots: [.named("a"), .named("b")],
            values: ["a", "b"]),
        Row(
            testDescription: "after the failure comes nothing",
            snapshots: [.named("a", error: .scripted), .named("b", at: 2)], values: ["a"], failure: .scripted),
    ]

    @Test(arguments: rows)
    func publisherSplitsSnapshotsIntoValuesAndFailure(row: Row) async throws {
        let recorder = Recorder<Model, ReadFailure>(.unlimited)
        sequence(of: row.snapshots).valuePublisher().subscribe(recorder)
        try await recorder.events(row.values.count + 1)
        await settle()
        #expect(recorder.values.map(\.name) == row.values)
        #expect(recorder.ends == [row.failure])
    }

    @Test func failureNeedsNoDemand() async throws {
        let recorder = Recorder<Model, ReadFailure>(.max(1))
        sequence(of: [.named("a", error: .scripted)]).valuePublisher().subscribe(recorder)
        try await recorder.events(2)
        #expect(recorder.values.map(\.name) == ["a"] && recorder.ends == [.scripted])
    }

    @Test func snapshotWithoutValueUsesNoDemand() async throws {
        let recorder = Recorder<Model, ReadFailure>(.max(1))
        sequence(of: [Snapshot(kept: nil, fetch: .refreshing), .named("a")]).valuePublisher().subscribe(recorder)
        try await recorder.events(1)
        #expect(recorder.values.map(\.name) == ["a"])
        recorder.cancel()
    }

    @Test(arguments: [true, false])
    func repositoryPublishesKeptValueThenFailure(isList: Bool) async throws {
        let clock = TestClock()
        let script = ScriptedSource<Model>(.failure(.scripted), clock: clock.wall)
        let now = clock.wall.now()
        script.keep([Model(id: 1, name: "kept")], asOf: now - .seconds(100), staleAt: now - .seconds(40))
        let users = Repository(source: script.source, configuration: .init(clock: clock.wall))
        let recorder = Recorder<String, ReadFailure>(.unlimited)
        if isList {
            users.listValuePublisher().map { $0[0].name }.subscribe(recorder)
        } else {
            users.valuePublisher(id: 1).map(\.name).subscribe(recorder)
        }
        try await recorder.events(2)
        #expect(recorder.values == ["kept"] && recorder.ends == [.scripted])
    }

    private func sequence(of snapshots: [Snapshot<Model>]) -> SnapshotSequence<Model> {
        SnapshotSequence {
            AsyncStream { continuation in
                for snapshot in snapshots { continuation.yield(snapshot) }
                continuation.finish()
            }
        }
    }
}
