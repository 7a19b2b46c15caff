#if Server
internal import Synchronization

/// The exchanges in flight, which closing a transport cancels.
final class OpenExchanges: Sendable {
    private struct Entry {
        weak let exchange: Exchange?
    }

    private struct State {
        // Invariant: after `isClosed` no exchange enters. An exchange that is in flight is in
        // `entries`, so `close()` ends each one.
        var entries: [ObjectIdentifier: Entry] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Returns false after `close()`.
    func add(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.entries[ObjectIdentifier(exchange)] = Entry(exchange: exchange)
            return true
        }
    }

    func remove(_ exchange: Exchange) {
        state.withLock { state in _ = state.entries.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    func close() {
        let open = state.withLock { state in
            state.isClosed = true
            return state.entries.values.compactMap(\.exchange)
        }
        // Outside of the lock, which `remove` takes when the exchange ends.
        for exchange in open { exchange.cancel() }
    }
}
#endif
