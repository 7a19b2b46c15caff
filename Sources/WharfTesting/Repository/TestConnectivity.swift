internal import Synchronization
public import WharfCore

/// A network that is there or not, as the test says.
public final class TestConnectivity: Connectivity {
    private struct State {
        var isOnline: Bool
        var readers: [UInt64: AsyncStream<Bool>.Continuation] = [:]
        var last: UInt64 = 0
    }

    private let state: Mutex<State>

    public init(isOnline: Bool = true) {
        state = Mutex(State(isOnline: isOnline))
    }

    public var isOnline: Bool { state.withLock { $0.isOnline } }

    /// Tells those who listen, also where it is no turn.
    public func turn(online isOnline: Bool) {
        let readers = state.withLock { state in
            state.isOnline = isOnline
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield(isOnline) }
    }

    public func changes() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let id = state.withLock { state in
            state.last += 1
            state.readers[state.last] = continuation
            return state.last
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: id) }
        }
        return stream
    }
}
