internal import Synchronization
internal import WharfCore
internal import WharfStorage

/// Prevents outdated responses in flight from being stored.
///
/// A response is outdated if its target was invalidated since its request. It is outdated too if
/// the answer to a later request was stored first, which an older one must not replace (RFC 9111
/// §4).
final class InvalidationFence: Sendable {
    private struct Entry {
        let key: CacheKey
        /// Whether a later answer was stored.
        var isOvertaken = false
    }

    // Invariant: a request was not invalidated while its serial is in `targets`. Serials grow, so a
    // greater one began later.
    private struct State {
        var targets: [String: [UInt64: Entry]] = [:]
        var lastSerial: UInt64 = 0

        mutating func enter(_ key: CacheKey) -> UInt64 {
            lastSerial += 1
            targets[key.target, default: [:]][lastSerial] = Entry(key: key)
            return lastSerial
        }

        mutating func leave(_ target: String, _ serial: UInt64) {
            targets[target]?.removeValue(forKey: serial)
            if targets[target]?.isEmpty == true { targets[target] = nil }
        }
    }

    /// One request in flight. It ends when it is released.
    final class InFlightRequest: Sendable {
        private let fence: InvalidationFence
        private let key: CacheKey
        fileprivate let serial: UInt64

        fileprivate init(_ fence: InvalidationFence, _ key: CacheKey) {
            self.fence = fence
            self.key = key
            self.serial = fence.state.withLock { $0.enter(key) }
        }

        // The fence would otherwise grow with each request.
        deinit { fence.state.withLock { $0.leave(key.target, serial) } }

        /// Whether, since the request began, its target was not invalidated and no later answer was
        /// stored.
        var isOpen: Bool { fence.state.withLock { $0.targets[key.target]?[serial]?.isOvertaken == false } }

        /// Whether the target was invalidated since the request began.
        var isInvalidated: Bool { fence.state.withLock { $0.targets[key.target]?[serial] == nil } }

        /// Closes earlier requests of the same key, if this one is open. Call it right before
        /// this one's answer is stored. Those for other variants are closed too; the cost is one
        /// more miss.
        ///
        /// - Returns: whether this request is open.
        @discardableResult
        func overtake() -> Bool {
            // One step: an answer that is outdated closes no request, and is not stored.
            fence.state.withLock { state in
                guard let entries = state.targets[key.target], entries[serial]?.isOvertaken == false else {
                    return false
                }
                for (earlier, entry) in entries where earlier < serial && entry.key == key {
                    state.targets[key.target]?[earlier]?.isOvertaken = true
                }
                return true
            }
        }
    }

    private let state = Mutex(State())

    func enter(_ key: CacheKey) -> InFlightRequest { InFlightRequest(self, key) }

    /// Closes all requests for these targets.
    ///
    /// - Parameter own: the request that causes the invalidation. If it is open, it stays so.
    func invalidate(_ targets: Set<String>, except own: InFlightRequest? = nil) {
        state.withLock { state in
            for target in targets {
                let kept = own.flatMap { own in state.targets[target]?[own.serial].map { [own.serial: $0] } }
                state.targets[target] = kept
            }
        }
    }
}
