internal import Synchronization

/// Who waits for the news of a journal: for stores to hold and to tell.
public final class JournalSubscriptions: Sendable {
    private struct State {
        var signals: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var last: UInt64 = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    public init() {}

    /// A subscription that has begun at return. After ``finish()`` one that has ended.
    public func subscribe() -> AsyncStream<Void> {
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id: UInt64? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.last += 1
            state.signals[state.last] = signal
            return state.last
        }
        guard let id else {
            signal.finish()
            return signals
        }
        signal.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.signals.removeValue(forKey: id) }
        }
        return signals
    }

    /// Nobody waits: what others have committed needs not be found out.
    public var isEmpty: Bool { state.withLock { $0.signals.isEmpty } }

    /// Something may be due now. To be called when the commit is there for every reader.
    public func tell() {
        for signal in state.withLock({ Array($0.signals.values) }) { signal.yield() }
    }

    /// Ends all subscriptions: the store is closed.
    public func finish() {
        let signals = state.withLock { state in
            state.isFinished = true
            return Array(state.signals.values)
        }
        for signal in signals { signal.finish() }
    }
}
