internal import Synchronization

/// The calls of a completion: it counts them and returns the first value.
package final class Calls<Value: Sendable>: Sendable {
    private let count = Mutex(0)
    private let values: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    package init() { (values, continuation) = AsyncStream.makeStream() }

    /// Records a call.
    package func add(_ value: Value) {
        count.withLock { $0 += 1 }
        continuation.yield(value)
    }

    /// Waits for the first call; nil if the task is cancelled before.
    package func first() async -> Value? {
        for await value in values { return value }
        return nil
    }

    /// Returns the number of calls after pending calls had many chances to arrive.
    package func countWhenQuiet() async -> Int {
        for _ in 0..<100 { await Task.yield() }
        return count.withLock { $0 }
    }
}
