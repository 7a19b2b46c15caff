#if TestServer
import Synchronization

/// Bytes on their way, each chunk with the time at which it came: what a latency keeps. It holds no more than its limit, but for
/// the last chunk; who brings more waits.
final class ByteQueue: Sendable {
    enum Item: Sendable, Equatable {
        case bytes([UInt8], at: Duration)
        case end(at: Duration)
        case reset
    }

    private enum Side: Hashable {
        case sender
        case receiver
    }

    private struct State {
        var items: [Item] = []
        var taken = 0
        var count = 0
        var waiting: [Side: CheckedContinuation<Void, Never>] = [:]

        mutating func pop() -> Item? {
            guard taken < items.count else { return nil }
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
    private let state = Mutex(State())

    init(limit: Int = 1 << 20) { self.limit = limit }

    /// Bytes that nobody has taken yet.
    var count: Int { state.withLock { $0.count } }

    /// One sender at a time. The last chunk may pass the limit.
    ///
    /// - Throws: `CancellationError`.
    func push(_ item: Item) async throws {
        while try await !isThrough(.sender, { $0.count < self.limit }) {}
        let receiver = state.withLock { state in
            if case .bytes(let bytes, _) = item { state.count += bytes.count }
            state.items.append(item)
            return state.waiting.removeValue(forKey: .receiver)
        }
        receiver?.resume()
    }

    /// One receiver at a time.
    ///
    /// - Throws: `CancellationError`.
    func next() async throws -> Item {
        while true {
            let (item, sender) = state.withLock { state in
                let item = state.pop()
                return (item, item == nil ? nil : state.waiting.removeValue(forKey: .sender))
            }
            sender?.resume()
            if let item { return item }
            _ = try await isThrough(.receiver) { $0.taken < $0.items.count }
        }
    }

    /// Waits until there may be a change, unless the condition holds already.
    private func isThrough(_ side: Side, _ condition: @escaping @Sendable (State) -> Bool) async throws -> Bool {
        try Task.checkCancellation()
        if state.withLock({ condition($0) }) { return true }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if Task.isCancelled || condition(state) { return true }
                    state.waiting[side] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: side) }?.resume()
        }
        try Task.checkCancellation()
        return false
    }
}
#endif
