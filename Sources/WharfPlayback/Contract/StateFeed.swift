internal import Synchronization

/// Tells any number of readers the state now, then each change: what a ``Player`` gives out by ``Player/states()``.
///
/// A reader who is slow misses states in between and never the last one. All sequences end with the feed.
public final class StateFeed<State: Sendable & Equatable>: Sendable {
    private struct Content {
        var state: State
        var readers: [Int: AsyncStream<State>.Continuation] = [:]
        var lastReader = 0
        var isFinished = false
    }

    private let content: Mutex<Content>

    public init(_ state: State) { content = Mutex(Content(state: state)) }

    deinit { finish() }

    public var state: State { content.withLock { $0.state } }

    /// Tells all readers. A state like the one before is not told, and none is after the end.
    public func update(_ state: State) {
        content.withLock { content in
            guard !content.isFinished, content.state != state else { return }
            content.state = state
            // Under the lock, so that no state overtakes another. It only enqueues: no handler runs here that would want the lock.
            for reader in content.readers.values { reader.yield(state) }
        }
    }

    /// Ends at once where the feed has ended.
    public func states() -> AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
        let isFinished = content.withLock { content in
            guard !content.isFinished else { return true }
            content.lastReader += 1
            let id = content.lastReader
            continuation.onTermination = { [weak self] _ in
                self?.content.withLock { _ = $0.readers.removeValue(forKey: id) }
            }
            continuation.yield(content.state)
            content.readers[id] = continuation
            return false
        }
        if isFinished { continuation.finish() }
        return stream
    }

    /// Ends all sequences, each behind the last state.
    public func finish() {
        let readers = content.withLock { content in
            content.isFinished = true
            defer { content.readers = [:] }
            return Array(content.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
