internal import Synchronization

/// Who waits for one moment, in the order in which they came; any of them may leave before it.
///
/// Not generic, so that thousands of waiters cost little: what they wait for lies elsewhere.
package final class Seats: Sendable {
    private enum Seat {
        /// Taken by somebody who does not wait yet.
        case taken
        case waiting(CheckedContinuation<Bool, Never>)
        case left
    }

    private struct State {
        var seats: [Seat] = [.taken]
        var taken = 1
        var hasLanded = false
        /// All who came have left.
        var isAbandoned = false

        /// - Returns: what is to be woken, and whether it was the last.
        mutating func leave(_ seat: Int) -> (CheckedContinuation<Bool, Never>?, wasLast: Bool) {
            guard !hasLanded else { return (nil, false) }
            let left = seats[seat]
            seats[seat] = .left
            taken -= 1
            isAbandoned = taken == 0
            guard case .waiting(let continuation) = left else { return (nil, isAbandoned) }
            return (continuation, isAbandoned)
        }
    }

    /// Taken already, for whoever made them.
    package static let first = 0

    private let state = Mutex(State())

    package init() {}

    package var taken: Int { state.withLock { $0.taken } }

    /// - Returns: nil when all who came have left: nothing comes any more.
    package func take() -> Int? {
        state.withLock { state in
            guard !state.isAbandoned else { return nil }
            state.seats.append(.taken)
            state.taken += 1
            return state.seats.count - 1
        }
    }

    /// Waits for the moment, or for the caller's cancellation.
    ///
    /// - Parameter abandon: called when this was the last who waited.
    /// - Returns: false when the caller was cancelled before.
    package func wait(in seat: Int, abandon: @Sendable () -> Void) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Bool? in
                    // Left by a cancellation that found nobody to wake.
                    if case .left = state.seats[seat] { return false }
                    if state.hasLanded { return true }
                    state.seats[seat] = .waiting(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let (continuation, wasLast) = state.withLock { $0.leave(seat) }
            if wasLast { abandon() }
            continuation?.resume(returning: false)
        }
    }

    /// First come, first served.
    package func land() {
        let seats = state.withLock { state in
            state.hasLanded = true
            state.taken = 0
            return state.seats
        }
        for case .waiting(let continuation) in seats { continuation.resume(returning: true) }
    }
}
