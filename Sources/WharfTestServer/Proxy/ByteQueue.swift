#if TestServer
import WharfPrimitives

/// Bytes on their way, each chunk with the time at which it came: what a latency keeps. It holds no
/// more than its limit, but for the last chunk; a sender that brings more waits.
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
            if taken > 64 || taken == items.count {
                items.removeFirst(taken)
                taken = 0
            }
            if case .bytes(let bytes, _) = item { count -= bytes.count }
            return item
        }
    }

    private let limit: Int
    private let monitor = Monitor(State())

    init(limit: Int = 1 << 20) { self.limit = limit }

    /// Bytes that nobody has taken yet.
    var count: Int { monitor.read { $0.count } }

    /// One sender at a time. The last chunk may pass the limit.
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

    /// One receiver at a time.
    ///
    /// - Throws: `CancellationError`.
    func next() async throws -> Item {
        while true {
            if let item = monitor.withLock({ state, _ in state.pop() }) { return item }
            try await wait { $0.hasItem }
        }
    }

    /// Waits until the condition holds. One task changes what it is about, so it still holds at
    /// return.
    private func wait(until condition: @escaping @Sendable (State) -> Bool) async throws {
        try Task.checkCancellation()
        guard await monitor.waitUnlessCancelled(until: condition) else { throw CancellationError() }
    }
}
#endif
