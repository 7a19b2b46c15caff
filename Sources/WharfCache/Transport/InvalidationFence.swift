internal import Synchronization
internal import WharfCore

/// Keeps answers that are under way from being stored when their target is invalidated meanwhile,
/// or when the answer to a later request was stored first: an older one must not replace it (RFC
/// 9111 §4).
final class InvalidationFence: Sendable {
    private struct State {
        /// Passages that are open, with the account that each is for.
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

    /// One request under way. It ends when it is let go.
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

        /// The target was neither invalidated since the request began, nor answered to a later
        /// request.
        var isOpen: Bool { fence.state.withLock { $0.targets[target]?[serial] != nil } }

        /// Closes the passages for the same account that began before this one: its answer is
        /// stored now. Those for another variant are closed too, which costs no more than a later
        /// miss.
        func overtake() {
            fence.state.withLock { state in
                state.targets[target] = state.targets[target]?.filter { $0.key >= serial || $0.value != account }
            }
        }
    }

    private let state = Mutex(State())

    func enter(_ target: String, _ account: Account?) -> Passage { Passage(self, target, account) }

    /// Closes all passages to these targets that are open now.
    func invalidate(_ targets: Set<String>) {
        state.withLock { state in
            for target in targets { state.targets[target] = nil }
        }
    }
}
