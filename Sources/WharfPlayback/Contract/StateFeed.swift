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
    /// Held while readers are told, so that no state overtakes another. Not `content`: a reader who is cancelled wants that one to leave,
    /// and holds a lock of its task meanwhile, for which who tells it waits.
    private let turn = Mutex(())

    public init(_ state: State) { content = Mutex(Content(state: state)) }

    deinit { finish() }

    public var state: State { content.withLock { $0.state } }

    /// Tells all readers. A state like the one before is not told, and none is after the end.
    public func update(_ state: State) {
        turn.withLock { _ in
            let readers = content.withLock { content -> [AsyncStream<State>.Continuation] in
                guard !content.isFinished, content.state != state else { return [] }
                content.state = state
                return Array(content.readers.values)
            }
            for reader in readers { reader.yield(state) }
        }
    }

    /// Ends at once where the feed has ended.
    public func states() -> AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
        let isFinished = turn.withLock { _ in
            content.withLock { content in
                guard !content.isFinished else { return true }
                content.lastReader += 1
                let id = content.lastReader
                continuation.onTermination = { [weak self] _ in
                    _ = self?.content.withLock { $0.readers.removeValue(forKey: id) }
                }
                content.readers[id] = continuation
                // Nobody reads it yet, so nobody is woken.
                continuation.yield(content.state)
                return false
            }
        }
        if isFinished { continuation.finish() }
        return stream
    }

    /// Ends all sequences, each behind the last state.
    public func finish() {
        turn.withLock { _ in
            let readers = content.withLock { content in
                content.isFinished = true
                defer { content.readers = [:] }
                return Array(content.readers.values)
            }
            for reader in readers { reader.finish() }
        }
    }
}
