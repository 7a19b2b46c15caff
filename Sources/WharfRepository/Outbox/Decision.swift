internal import Synchronization

/// What is decided once, for any number who wait for it.
final class Decision<Outcome: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Outcome, Never>])
        case made(Outcome)
    }

    private let state: Mutex<State>

    init() { state = Mutex(.open([])) }

    init(_ outcome: Outcome) { state = Mutex(.made(outcome)) }

    /// The first counts.
    func make(_ outcome: Outcome) {
        let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
            guard case .open(let waiting) = state else { return [] }
            state = .made(outcome)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> Outcome? in
                switch state {
                case .made(let outcome): return outcome
                case .open(let waiting):
                    state = .open(waiting + [continuation])
                    return nil
                }
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
