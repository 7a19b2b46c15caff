internal import Synchronization

/// The progress of one answer. It decides which part of the gateway gives it.
final class AnswerPhase: Sendable {
    private enum Phase: Sendable {
        case waiting, answering
        /// The answer is given. The connection closes, or the next request may follow.
        case ended(closes: Bool)
    }

    // The phases follow each other in this order.
    private let phase = Mutex(Phase.waiting)

    /// Takes the right to answer; false if it was taken before.
    ///
    /// The task of the request takes it, or the connection's handler, which finds the body
    /// malformed or late.
    func claim() -> Bool {
        phase.withLock { phase in
            guard case .waiting = phase else { return false }
            phase = .answering
            return true
        }
    }

    func end(closes: Bool) {
        phase.withLock { phase in
            if case .ended = phase { return }
            phase = .ended(closes: closes)
        }
    }

    /// Whether no answer has begun.
    var isWaiting: Bool {
        phase.withLock { phase in
            if case .waiting = phase { return true }
            return false
        }
    }

    /// Whether parts of the request that still arrive are not needed.
    var isEnded: Bool {
        phase.withLock { phase in
            if case .ended = phase { return true }
            return false
        }
    }

    /// Whether no further request is accepted on the connection.
    var isLast: Bool {
        phase.withLock { phase in
            if case .ended(let closes) = phase { return closes }
            return false
        }
    }
}
