internal import Synchronization
internal import WharfCore

/// Lets through so many in any such time, by the moments at which the last were let through and
/// those that are waited for.
struct SlidingWindow: Sendable {
    private let limit: RateLimit
    /// In order, also those that are still waited for.
    private var turns: [Duration] = []

    init(_ limit: RateLimit) { self.limit = limit }

    /// When it is the turn of the next, which is taken: the first that is free. How long that would
    /// be from now where that is longer than allowed, and none is.
    ///
    /// - Parameter now: never before that of an earlier call.
    /// - Complexity: O(n²) of those that wait or were let through in the last interval.
    mutating func take(at now: Duration, waitingAtMost bound: Duration) -> Result<Duration, TooLong> {
        turns.removeFirst(turns.prefix { $0 + limit.interval <= now }.count)
        let turn = firstFree(from: now)
        guard turn - now <= bound else { return .failure(TooLong(wait: turn - now)) }
        turns.insert(turn, at: turns.firstIndex { $0 > turn } ?? turns.endIndex)
        return .success(turn)
    }

    /// It was taken and not used: another may have it. Those that are waited for behind it stay
    /// where they are.
    mutating func giveBack(_ turn: Duration) {
        if let index = turns.lastIndex(of: turn) { turns.remove(at: index) }
    }

    private func firstFree(from now: Duration) -> Duration {
        if isFree(now) { return now }
        // There is room again when one has been let through for long enough, and at no other
        // moment.
        return turns.lazy.map { $0 + limit.interval }.first { $0 > now && isFree($0) } ?? now
    }

    /// Whether with one more at that time there are still no more than the limit in any stretch of
    /// the interval.
    private func isFree(_ time: Duration) -> Bool {
        var near = turns.filter { $0 > time - limit.interval && $0 < time + limit.interval }
        let place = near.firstIndex { $0 > time } ?? near.endIndex
        near.insert(time, at: place)
        return near.indices.dropFirst(limit.count).allSatisfy { near[$0] - near[$0 - limit.count] >= limit.interval }
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
