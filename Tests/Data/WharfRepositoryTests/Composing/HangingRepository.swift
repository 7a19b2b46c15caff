import Synchronization
import WharfCore
import WharfCoreLaws
import WharfFakes

/// A repository without stored values, whose reads each hang at the gate. The test can count the
/// hanging reads.
final class HangingRepository: ReadableRepository {
    typealias Model = RepositoryLaws.Model

    let gate = Gate()
    private let state = Mutex((begun: 0, hanging: 0))

    var begun: Int { state.withLock { $0.begun } }
    var hanging: Int { state.withLock { $0.hanging } }

    private func hang<Value>(_ policy: ReadPolicy?) async -> Snapshot<Value> {
        if policy == .cacheOnly {
            return Snapshot(kept: nil, error: ReadFailure(.nothingKept, message: "scripted"))
        }
        state.withLock { $0 = ($0.begun + 1, $0.hanging + 1) }
        await gate.pass()
        state.withLock { $0.hanging -= 1 }
        return Snapshot(kept: nil, error: ReadFailure(Task.isCancelled ? .cancelled : .offline, message: "scripted"))
    }

    func snapshot(id: Int, policy: ReadPolicy?) async -> Snapshot<Model> { await hang(policy) }
    func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]> {
        await hang(policy)
    }
    func observe(id: Int, policy: ReadPolicy?) -> SnapshotSequence<Model> { SnapshotSequence { AsyncStream { _ in } } }

    func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]> {
        SnapshotSequence { AsyncStream { _ in } }
    }
}
