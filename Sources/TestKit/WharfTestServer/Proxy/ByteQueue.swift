import WharfPrimitives

/// A bounded queue of chunks, each with its arrival time, for latency.
///
/// A sender waits while the queue is full. Only the last chunk may exceed the limit.
final class ByteQueue: Sendable {
    enum Item: Sendable, Equatable {
        case bytes([UInt8], at: Duration)
        case end(at: Duration)
        case reset
    }

    private struct State {
        var items: [Item] = []
        var taken = 0
        var count = 0

        var hasItem: Bool { taken < items.count }

        mutating func pop() -> Item? {
            guard hasItem else { return nil }
            let item = items[taken]
            taken += 1
            // Removing each item at once would move all others each time.
            if taken > 64 || taken == items.count {
                items.removeFirst(taken)
                taken = 0
            }
            if case .bytes(let bytes, _) = item { count -= bytes.count }
            return item
        }
    }

    private let limit: Int
    // `items[taken...]` wait for the receiver, and `count` is the sum of their bytes. Items before
    // `taken` are given out and are removed in batches.
    private let monitor = Monitor(State())

    init(limit: Int = 1 << 20) { self.limit = limit }

    /// The number of bytes in the queue.
    var count: Int { monitor.read { $0.count } }

    /// Appends an item. There must be one sender at a time. The last chunk may exceed the limit.
    ///
    /// - Throws: `CancellationError`.
    func push(_ item: Item) async throws {
        let limit = limit
        try await wait { $0.count < limit }
        monitor.withLock { state, _ in
            if case .bytes(let bytes, _) = item { state.count += bytes.count }
            state.items.append(item)
        }
    }

    /// Removes the next item. There must be one receiver at a time.
    ///
    /// - Throws: `CancellationError`.
    func next() async throws -> Item {
        while true {
            if let item = monitor.withLock({ state, _ in state.pop() }) { return item }
            try await wait { $0.hasItem }
        }
    }

    /// Waits until the condition holds. Only one task can make it false, so it still holds at the
    /// return.
    private func wait(until condition: @escaping @Sendable (State) -> Bool) async throws {
        try Task.checkCancellation()
        guard await monitor.waitUnlessCancelled(until: condition) else { throw CancellationError() }
    }
}
