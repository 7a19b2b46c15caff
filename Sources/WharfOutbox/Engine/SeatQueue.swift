internal import Synchronization

/// The places at a destination, and who waits for one, in the order in which they came.
final class SeatQueue: Sendable {
    enum Seat: Sendable {
        case free
        /// One that somebody has left to who waited.
        case left
        /// Who is cancelled gets none.
        case none
    }

    private struct State {
        var free: Int
        var waiting: [(ticket: UInt64, continuation: CheckedContinuation<Seat, Never>)] = []
        var lastTicket: UInt64 = 0

        mutating func take() -> Bool {
            if free == 0 { return false }
            free -= 1
            return true
        }
    }

    private let state: Mutex<State>

    init(_ seats: Int) { state = Mutex(State(free: max(1, seats))) }

    /// How many wait.
    var waiting: Int { state.withLock { $0.waiting.count } }

    func take() async -> Seat {
        if state.withLock({ $0.take() }) { return .free }
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Seat? = state.withLock { state in
                    if Task.isCancelled { return Seat.none }
                    if state.take() { return .free }
                    state.waiting.append((ticket, continuation))
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                let index = state.waiting.firstIndex { $0.ticket == ticket }
                return index.map { state.waiting.remove(at: $0).continuation }
            }
            waiting?.resume(returning: .none)
        }
    }

    /// The next has it.
    func leave() {
        let next = state.withLock { state in
            if state.waiting.isEmpty { state.free += 1 }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst().continuation
        }
        next?.resume(returning: .left)
    }
}
