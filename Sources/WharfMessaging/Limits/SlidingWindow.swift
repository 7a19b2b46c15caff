internal import Synchronization
internal import WharfCore

/// Lets through so many in any such time, by the moments at which the last were let through. Both calls take O(count) at most.
struct SlidingWindow: Sendable {
    private let limit: RateLimit
    /// In order, also those that are still waited for.
    private var turns: [Duration] = []

    init(_ limit: RateLimit) { self.limit = limit }

    /// When it is the turn of the next, which is taken; how long that would be from now where that is longer than allowed, and none is.
    ///
    /// - Parameter now: never before that of an earlier call.
    mutating func take(at now: Duration, waitingAtMost bound: Duration) -> Result<Duration, TooLong> {
        turns.removeFirst(turns.prefix { $0 + limit.interval <= now }.count)
        let isFull = turns.count >= limit.count
        let turn = isFull ? turns[turns.count - limit.count] + limit.interval : now
        guard turn - now <= bound else { return .failure(TooLong(wait: turn - now)) }
        turns.append(turn)
        return .success(turn)
    }

    /// It was taken and not used. Where another was taken behind it, it is lost.
    mutating func giveBack(_ turn: Duration) {
        if turns.last == turn { turns.removeLast() }
    }

    struct TooLong: Error, Hashable {
        let wait: Duration
    }
}

/// Holds parts back as long as a channel's rate asks for.
final class Throttle: Sendable {
    private let window: Mutex<SlidingWindow>
    private let bound: Duration
    private let now: @Sendable () -> Duration
    private let pause: @Sendable (Duration) async throws -> Void

    init(_ limit: RateLimit, waitingAtMost bound: Duration, on clock: some Clock<Duration>) {
        window = Mutex(SlidingWindow(limit))
        self.bound = bound
        let start = clock.now
        now = { start.duration(to: clock.now) }
        pause = { try await clock.sleep(for: $0) }
    }

    /// Returns when the next part may go.
    ///
    /// - Returns: after what time to ask again, where it may not.
    func pass() async -> Duration? {
        let (now, taken) = window.withLock { window in
            let now = self.now()
            return (now, window.take(at: now, waitingAtMost: bound))
        }
        switch taken {
        case .failure(let error): return error.wait
        case .success(now): return nil
        case .success(let turn):
            do {
                try await pause(turn - now)
                return nil
            } catch {
                // Cancelled: nobody waits for it.
                window.withLock { $0.giveBack(turn) }
                return .zero
            }
        }
    }
}
