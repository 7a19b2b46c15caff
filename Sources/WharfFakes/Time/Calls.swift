internal import Synchronization

/// What a completion was called with: counts the calls and hands out the first.
package final class Calls<Value: Sendable>: Sendable {
    private let count = Mutex(0)
    private let values: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    package init() { (values, continuation) = AsyncStream.makeStream() }

    package func add(_ value: Value) {
        count.withLock { $0 += 1 }
        continuation.yield(value)
    }

    /// Waits for it; nil when the task is cancelled before.
    package func first() async -> Value? {
        for await value in values { return value }
        return nil
    }

    /// After whatever was on its way had many chances to arrive.
    package func countWhenQuiet() async -> Int {
        for _ in 0..<100 { await Task.yield() }
        return count.withLock { $0 }
    }
}
