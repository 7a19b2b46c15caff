internal import Synchronization

/// Keeps answers that are under way from being stored when their target is invalidated meanwhile.
final class InvalidationFence: Sendable {
    private struct State {
        /// Passages that are open, and those among them whose target was invalidated since they began.
        var targets: [String: Set<UInt64>] = [:]
        var lastSerial: UInt64 = 0

        mutating func enter(_ target: String) -> UInt64 {
            lastSerial += 1
            targets[target, default: []].insert(lastSerial)
            return lastSerial
        }

        mutating func leave(_ target: String, _ serial: UInt64) {
            targets[target]?.remove(serial)
            if targets[target]?.isEmpty == true { targets[target] = nil }
        }
    }

    /// One request under way. It ends when it is let go.
    final class Passage: Sendable {
        private let fence: InvalidationFence
        private let target: String
        private let serial: UInt64

        fileprivate init(_ fence: InvalidationFence, _ target: String) {
            self.fence = fence
            self.target = target
            self.serial = fence.state.withLock { $0.enter(target) }
        }

        deinit { fence.state.withLock { $0.leave(target, serial) } }

        /// The target was not invalidated since the request began.
        var isOpen: Bool { fence.state.withLock { $0.targets[target]?.contains(serial) ?? false } }
    }

    private let state = Mutex(State())

    func enter(_ target: String) -> Passage { Passage(self, target) }

    /// Closes all passages to these targets that are open now.
    func invalidate(_ targets: Set<String>) {
        state.withLock { state in
            for target in targets { state.targets[target] = nil }
        }
    }
}
