internal import Synchronization
public import WharfCore

/// Reports the changes that an app's own stack makes without the store.
///
/// Each store of closures that was created with it gives the changes new versions, and tells the
/// readers of its feeds.
public final class EntityChangeReporter: Sendable {
    /// A store that is told of the changes.
    struct Listener: Sendable {
        let keys: @Sendable ([EntityKey]) -> Void
        let all: @Sendable (_ isMeant: (Account?) -> Bool) -> Void
        let finish: @Sendable () -> Void
    }

    private struct State {
        var listeners: [Listener] = []
        var isFinished = false
    }

    // Listeners are called outside of the lock: a listener takes the lock of its store, which may
    // report meanwhile.
    private let state = Mutex(State())

    /// Creates a reporter without stores.
    public init() {}

    /// Adds a store.
    ///
    /// - Returns: the index of the listener. The store passes it when it reports its own commits.
    func listen(_ listener: Listener) -> Int {
        let (index, isFinished) = state.withLock { state in
            state.listeners.append(listener)
            return (state.listeners.count - 1, state.isFinished)
        }
        if isFinished { listener.finish() }
        return index
    }

    /// Reports keys that the app or another process changed without the store.
    ///
    /// Call it after the change is visible to every reader.
    public func tell(_ keys: some Sequence<EntityKey>) { tell(Array(keys), from: nil) }

    /// Reports that any entity of these accounts may have changed without the store.
    public func tellAll(of isMeant: (Account?) -> Bool) { tellAll(from: nil, of: isMeant) }

    /// Ends the feeds of the stores, because the stack is closed.
    public func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            return state.listeners
        }
        for listener in listeners { listener.finish() }
    }

    /// - Parameter sender: the store that has made the change, and given it a version.
    func tell(_ keys: [EntityKey], from sender: Int?) {
        for listener in listeners(except: sender) { listener.keys(keys) }
    }

    /// - Parameter sender: the store that has made the change, and given it a version.
    func tellAll(from sender: Int?, of isMeant: (Account?) -> Bool) {
        for listener in listeners(except: sender) { listener.all(isMeant) }
    }

    private func listeners(except sender: Int?) -> [Listener] {
        state.withLock { $0.listeners }.enumerated().filter { $0.offset != sender }.map(\.element)
    }
}
