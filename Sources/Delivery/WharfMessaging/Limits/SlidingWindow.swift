internal import Synchronization
internal import WharfCore

/// A sliding-window rate limiter, which reserves a time for each part.
///
/// Invariant: any interval of the limit's length contains at most `count` reserved times.
struct SlidingWindow: Sendable {
    private let limit: RateLimit
    /// The reserved times in order, past ones of the last interval and future ones.
    private var turns: [Duration] = []

    init(_ limit: RateLimit) { self.limit = limit }

    /// Reserves the first free time and returns it.
    ///
    /// If the wait for it would exceed the bound, nothing is reserved, and the failure has the
    /// length of the wait.
    ///
    /// - Parameter now: the current time, which never decreases between calls.
    /// - Complexity: O(n²) in the number of waiting parts and those of the last interval.
    mutating func take(at now: Duration, waitingAtMost bound: Duration) -> Result<Duration, TooLong> {
        // These share no interval with `now` or any later time.
        turns.removeFirst(turns.prefix { $0 + limit.interval <= now }.count)
        let turn = firstFree(from: now)
        // Checked before the insertion: a reservation that is not used would delay all later parts.
        guard turn - now <= bound else { return .failure(TooLong(wait: turn - now)) }
        // Kept in order. A returned time can be earlier than the last one.
        turns.insert(turn, at: turns.firstIndex { $0 > turn } ?? turns.endIndex)
        return .success(turn)
    }

    /// Releases a reserved time that was not used.
    ///
    /// A later call may reserve it. Later reservations do not move forward.
    mutating func giveBack(_ turn: Duration) {
        if let index = turns.lastIndex(of: turn) { turns.remove(at: index) }
    }

    private func firstFree(from now: Duration) -> Duration {
        if isFree(now) { return now }
        // Room appears only when a reservation leaves the window, so no other moment is tried.
        return turns.lazy.map { $0 + limit.interval }.first { $0 > now && isFree($0) } ?? now
    }

    /// Whether the invariant still holds with one more reservation at that time.
    private func isFree(_ time: Duration) -> Bool {
        // Only these can share an interval with `time`.
        var near = turns.filter { $0 > time - limit.interval && $0 < time + limit.interval }
        let place = near.firstIndex { $0 > time } ?? near.endIndex
        near.insert(time, at: place)
        // Each reservation must be a whole interval after the one `count` places before it.
        // Otherwise an interval would contain `count` + 1 of them.
        return near.indices.dropFirst(limit.count).allSatisfy { near[$0] - near[$0 - limit.count] >= limit.interval }
    }

    struct TooLong: Error, Hashable {
        let wait: Duration
    }
}

/// A throttle that delays parts to keep a channel's rate limit.
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

    /// Waits until the next part may be sent.
    ///
    /// - Returns: nil if it may be sent now. Otherwise the wait was longer than the bound or was
    ///   cancelled, and the value is the time after which to ask again.
    func pass() async -> Duration? {
        // The clock is read under the lock. Read before it, two callers could pass their times in
        // the wrong order, and `take` needs times that never decrease.
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
                // The task was cancelled and sends nothing. A reservation that stayed would delay
                // later parts.
                window.withLock { $0.giveBack(turn) }
                return .zero
            }
        }
    }
}
