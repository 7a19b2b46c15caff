internal import Synchronization
internal import WharfCore

/// Lets through so many in a time, by the moment at which all that it has let through would be over at an even pace (GCRA, ITU-T I.371).
struct TokenBucket: Sendable {
    private let step: Duration
    private let burst: Duration
    private var over: Duration = .zero

    init(_ limit: RateLimit) {
        step = limit.interval / limit.count
        burst = limit.interval - step
    }

    /// How long to wait for the next token, which is taken; nil where that is longer than allowed, and none is.
    mutating func take(at now: Duration, waitingAtMost bound: Duration) -> Result<Duration, TooLong> {
        let base = max(over, now)
        let wait = max(.zero, base - burst - now)
        guard wait <= bound else { return .failure(TooLong(wait: wait)) }
        over = base + step
        return .success(wait)
    }

    /// One was taken and not used.
    mutating func giveBack() { over -= step }

    struct TooLong: Error, Hashable {
        let wait: Duration
    }
}

/// Holds parts back as long as a channel's rate asks for.
final class Throttle: Sendable {
    private let bucket: Mutex<TokenBucket>
    private let bound: Duration
    private let now: @Sendable () -> Duration
    private let pause: @Sendable (Duration) async throws -> Void

    init(_ limit: RateLimit, waitingAtMost bound: Duration, on clock: some Clock<Duration>) {
        bucket = Mutex(TokenBucket(limit))
        self.bound = bound
        let start = clock.now
        now = { start.duration(to: clock.now) }
        pause = { try await clock.sleep(for: $0) }
    }

    /// Returns when the next part may go.
    ///
    /// - Returns: after what time to ask again, where it may not.
    func pass() async -> Duration? {
        switch bucket.withLock({ $0.take(at: now(), waitingAtMost: bound) }) {
        case .failure(let error): return error.wait
        case .success(.zero): return nil
        case .success(let wait):
            do {
                try await pause(wait)
                return nil
            } catch {
                // Cancelled: nobody waits for it.
                bucket.withLock { $0.giveBack() }
                return .zero
            }
        }
    }
}
