internal import Synchronization
internal import WharfCore

/// The observers of a ``ScriptedRepository``.
final class ScriptObservers<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    private struct Observer {
        let tell: @Sendable (Script<Model>, WallTime) -> Void
        let finish: @Sendable () -> Void
    }

    private struct State {
        var observers: [Int: Observer] = [:]
        var last = 0
    }

    // `last` is the greatest id ever given, so no id returns. An observer in `left` may still be in
    // `observers`; the next call removes it.
    private let state = Mutex(State())
    /// The ids of observers that have left.
    ///
    /// They have a lock of their own, so that a leaving observer never waits for a lock that is
    /// held while observers are told.
    private let left = Mutex<Set<Int>>([])

    var count: Int {
        state.withLock { state in
            forget(&state)
            return state.observers.count
        }
    }

    /// Returns a stream of snapshots that starts with the snapshot of a script.
    ///
    /// The caller must exclude concurrent updates, or the stream could miss one.
    ///
    /// - Parameter script: the script of the first snapshot.
    func stream<Value: Sendable>(
        _ answer: @escaping @Sendable (Script<Model>, WallTime) -> Snapshot<Value>, from script: Script<Model>,
        _ now: WallTime
    ) -> AsyncStream<Snapshot<Value>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Snapshot<Value>.self, bufferingPolicy: .bufferingNewest(1))
        // Before the registration, so that the first snapshot precedes all later ones.
        continuation.yield(answer(script, now))
        let id = state.withLock { state in
            state.last += 1
            state.observers[state.last] = Observer(
                tell: { continuation.yield(answer($0, $1)) }, finish: { continuation.finish() })
            return state.last
        }
        continuation.onTermination = { [weak self] _ in _ = self?.left.withLock { $0.insert(id) } }
        return stream
    }

    func tell(_ script: Script<Model>, _ now: WallTime) {
        let observers = state.withLock { state in
            forget(&state)
            return state.observers.sorted { $0.key < $1.key }.map(\.value)
        }
        for observer in observers { observer.tell(script, now) }
    }

    /// The repository is released, so there are no more snapshots.
    deinit {
        for observer in state.withLock({ $0.observers.values }) { observer.finish() }
    }

    private func forget(_ state: inout State) {
        let gone = left.withLock { left in
            defer { left = [] }
            return left
        }
        for id in gone { state.observers[id] = nil }
    }
}
