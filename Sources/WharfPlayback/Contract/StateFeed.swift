internal import Synchronization

/// Tells any number of readers the state now, then each change: what a ``Player`` gives out by ``Player/states()``.
///
/// A reader who is slow misses states in between and never the last one.
public final class StateFeed<State: Sendable & Equatable>: Sendable {
    private struct Content {
        var state: State
        var readers: [AsyncStream<State>.Continuation] = []
        var isFinished = false
    }

    private let content: Mutex<Content>

    public init(_ state: State) { content = Mutex(Content(state: state)) }

    public var state: State { content.withLock { $0.state } }

    /// Tells all readers. A state like the one before is not told, and none is after the end.
    public func update(_ state: State) {
        content.withLock { content in
            guard !content.isFinished, content.state != state else { return }
            content.state = state
            // Under the lock, so that no state overtakes another. Readers who left have no handler that would want it, and are
            // dropped here.
            content.readers.removeAll { reader in
                if case .terminated = reader.yield(state) { return true }
                return false
            }
        }
    }

    /// Ends at once where the feed has ended.
    public func states() -> AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
        let isFinished = content.withLock { content in
            guard !content.isFinished else { return true }
            continuation.yield(content.state)
            content.readers.append(continuation)
            return false
        }
        if isFinished { continuation.finish() }
        return stream
    }

    /// Ends all sequences, each behind the last state.
    public func finish() {
        let readers = content.withLock { content in
            content.isFinished = true
            defer { content.readers = [] }
            return content.readers
        }
        for reader in readers { reader.finish() }
    }
}
