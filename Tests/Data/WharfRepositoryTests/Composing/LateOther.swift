import Synchronization
import WharfCore
import WharfCoreLaws

/// A repository whose observations emit when the test says so, even after they were cancelled.
final class LateOther: ReadableRepository {
    typealias Model = RepositoryLaws.Model

    private let waiting = Mutex<[CheckedContinuation<Snapshot<Model>?, Never>?]>([])

    /// The number of observations begun so far.
    var asked: Int { waiting.withLock { $0.count } }

    func answer(_ index: Int, _ name: String?) {
        let continuation = waiting.withLock { waiting in
            defer { waiting[index] = nil }
            return waiting[index]
        }
        let kept = name.map {
            Snapshot<Model>.Kept(value: Model(id: 1, name: $0), source: .network, asOf: .distantPast)
        }
        continuation?.resume(returning: kept.map { Snapshot(kept: $0) })
    }

    /// Ends all observations that still wait.
    func end() { for index in 0..<asked { answer(index, nil) } }

    func observe(id: Int, policy: ReadPolicy?) -> SnapshotSequence<Model> {
        SnapshotSequence { [self] in
            AsyncStream {
                await withCheckedContinuation { continuation in self.waiting.withLock { $0.append(continuation) } }
            }
        }
    }

    func snapshot(id: Int, policy: ReadPolicy?) async -> Snapshot<Model> { Snapshot(kept: nil) }
    func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]> {
        Snapshot(kept: nil)
    }
    func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]> {
        SnapshotSequence { AsyncStream { _ in } }
    }
}
