import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// Snapshots that the test sends, as a sequence and as a repository, and their observers.
final class Feed: ReadableRepository {
    typealias Model = RepositoryLaws.Model

    private struct State {
        var readers: [Int: AsyncStream<Snapshot<Model>>.Continuation] = [:]
        var subscriptions = 0
        var isInVain = false
    }

    private let state = Mutex(State())

    /// The number of iterations that have begun.
    var subscriptions: Int { state.withLock { $0.subscriptions } }
    /// The number of iterations that have not ended.
    var readers: Int { state.withLock { $0.readers.count } }

    /// As with a repository, a slow reader gets the newest snapshot.
    var snapshots: SnapshotSequence<Model> {
        SnapshotSequence { [self] in
            let (stream, continuation) = AsyncStream.makeStream(
                of: Snapshot<Model>.self, bufferingPolicy: .bufferingNewest(1))
            let id = state.withLock { state in
                state.subscriptions += 1
                state.readers[state.subscriptions] = continuation
                return state.subscriptions
            }
            continuation.onTermination = { [self] _ in
                _ = state.withLock { $0.readers.removeValue(forKey: id) }
            }
            return stream
        }
    }

    func readers(_ count: Int) async throws {
        try await until("\(count) observers") { readers == count }
    }

    /// Waits for a condition that ends an observation.
    func until(_ what: String, _ condition: () -> Bool) async throws {
        try await WharfCombineTests.until(what, unless: { state.withLock { $0.isInVain } }, condition)
    }

    /// Called by a wrong publisher in place of a law's endless wait.
    func waitInVain() { state.withLock { $0.isInVain = true } }

    func send(_ snapshot: Snapshot<Model>) {
        for reader in state.withLock({ Array($0.readers.values) }) { reader.yield(snapshot) }
    }

    func send(_ name: String) { send(.named(name)) }

    func finish() {
        for reader in state.withLock({ Array($0.readers.values) }) { reader.finish() }
    }

    func observe(id: Int, policy: ReadPolicy?) -> SnapshotSequence<Model> { snapshots }

    func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]> {
        snapshots.map { [$0] }
    }

    // Publishers only observe.
    func snapshot(id: Int, policy: ReadPolicy?) async -> Snapshot<Model> { Snapshot(kept: nil) }

    func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]> {
        Snapshot(kept: nil)
    }
}

extension Snapshot<RepositoryLaws.Model> {
    static func named(
        _ name: String, at seconds: Int64 = 1, error: ReadFailure? = nil, fetch: FetchStatus = .idle
    ) -> Snapshot {
        let asOf = WallTime(secondsSince1970: seconds)
        return Snapshot(
            kept: .init(value: .init(id: 1, name: name), source: .network, asOf: asOf), error: error, fetch: fetch)
    }
}

extension ReadFailure {
    static let scripted = ReadFailure(.connectionFailed, message: "scripted")
}

/// Waits for `condition`, without a time limit.
///
/// - Parameter isInVain: whether the test can stop waiting, as the condition will never hold.
/// - Throws: the error that ends a law's check, if `isInVain` holds or the test is cancelled.
func until(_ what: String, unless isInVain: () -> Bool = { false }, _ condition: () -> Bool) async throws {
    await waitUntil { condition() || isInVain() }
    try require(condition(), "waited in vain for \(what)")
}

/// Yields many times, so that pending work can run.
func settle() async {
    await letOthersRun()
}
