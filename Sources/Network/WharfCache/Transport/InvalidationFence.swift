internal import Synchronization
internal import WharfCore

/// Prevents outdated responses in flight from being stored.
///
/// A response is outdated if its target was invalidated since its request. It is outdated too if
/// the answer to a later request was stored first, which an older one must not replace (RFC 9111
/// §4).
final class InvalidationFence: Sendable {
    private struct State {
        /// The open passages, with the account of each.
        var targets: [String: [UInt64: Account?]] = [:]
        var lastSerial: UInt64 = 0

        mutating func enter(_ target: String, _ account: Account?) -> UInt64 {
            lastSerial += 1
            targets[target, default: [:]].updateValue(account, forKey: lastSerial)
            return lastSerial
        }

        mutating func leave(_ target: String, _ serial: UInt64) {
            targets[target]?.removeValue(forKey: serial)
            if targets[target]?.isEmpty == true { targets[target] = nil }
        }
    }

    /// One request in flight. It ends when it is released.
    final class Passage: Sendable {
        private let fence: InvalidationFence
        private let target: String
        private let account: Account?
        private let serial: UInt64

        fileprivate init(_ fence: InvalidationFence, _ target: String, _ account: Account?) {
            self.fence = fence
            self.target = target
            self.account = account
            self.serial = fence.state.withLock { $0.enter(target, account) }
        }

        deinit { fence.state.withLock { $0.leave(target, serial) } }

        /// Whether, since the request began, its target was not invalidated and no later answer was
        /// stored.
        var isOpen: Bool { fence.state.withLock { $0.targets[target]?[serial] != nil } }

        /// Closes earlier passages of the same account, because this one's answer is stored now.
        /// Those for other variants are closed too; the cost is one more miss.
        func overtake() {
            fence.state.withLock { state in
                state.targets[target] = state.targets[target]?.filter { $0.key >= serial || $0.value != account }
            }
        }
    }

    private let state = Mutex(State())

    func enter(_ target: String, _ account: Account?) -> Passage { Passage(self, target, account) }

    /// Closes all open passages to these targets.
    func invalidate(_ targets: Set<String>) {
        state.withLock { state in
            for target in targets { state.targets[target] = nil }
        }
    }
}
