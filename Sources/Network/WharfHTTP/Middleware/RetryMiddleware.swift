public import WharfCore
internal import WharfPrimitives

/// Retries an idempotent request with backoff if a repetition may succeed.
///
/// It retries after a transient ``TransportError`` before the head, and after these statuses:
///
/// | status | why |
/// |---|---|
/// | 408 | the client may repeat the request (RFC 9110 §15.5.9) |
/// | 425 | refused only because it came in early data (RFC 8470 §5.2) |
/// | 429 | too many for the moment (RFC 6585 §4) |
/// | 502, 504 | a gateway did not reach the server, as when a connection fails (§15.6.3, §15.6.5) |
/// | 503 | a temporary overload (§15.6.4) |
///
/// It does not retry a 500: no rule says that it is temporary, and a bug of the server gives the
/// same answer again. A stored response is never retried, even if it replaces a failure, because
/// the reader should get its value at once.
///
/// - `Retry-After` is honoured in both forms (RFC 9110 §10.2.3).
/// - Attempts and pauses share the request's `timeout`. A pause that would outlast it is not begun.
/// - The outcome of the last attempt is returned.
public struct RetryMiddleware: Middleware {
    private let policy: RetryPolicy
    private let clock: any Clock<Duration>
    private let wallClock: any WallClock
    private let random: SharedRandom

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - policy: the backoff and the number of attempts.
    ///   - clock: measures the pauses and the remaining time.
    ///   - wallClock: the current date, for a `Retry-After` that is a date.
    ///   - random: the source of the jitter.
    public init(
        policy: RetryPolicy = .default, clock: any Clock<Duration> = ContinuousClock(),
        wallClock: any WallClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.policy = policy
        self.clock = clock
        self.wallClock = wallClock
        self.random = SharedRandom(random)
    }

    public func send(
        _ request: TransportRequest, next: any Transport
    ) async throws(TransportError) -> TransportResponse {
        // An outbox retries its requests itself; retries here would multiply the attempts.
        guard request.isIdempotent, !OutboxAttempt.isCurrent else { return try await next.send(request) }
        let elapsed = clock.stopwatch()
        var state = RetryState(policy: policy, timeout: request.timeout)
        while true {
            var attempt = request
            // Each attempt gets the rest of the time, so all of them together keep the caller's
            // limit.
            attempt.timeout = state.remaining(after: elapsed())
            let pause: Duration
            do {
                // This scope releases the response's body before the pause. Otherwise the body
                // would hold its connection during the pause.
                let response = try await next.send(attempt)
                guard response.asksForRetry else { return response }
                let retryAfter = RetryAfter.delay(in: response.head.headerFields, now: wallClock.now())
                guard let next = decide(&state, retryAfter, elapsed()) else { return response }
                pause = next
            } catch {
                guard error.isTransient, let next = decide(&state, nil, elapsed()) else { throw error }
                pause = next
            }
            do {
                try await clock.sleep(for: pause)
            } catch {
                throw TransportError(
                    .cancelled,
                    message: "the task was cancelled during the backoff before the next attempt", cause: error)
            }
        }
    }

    private func decide(_ state: inout RetryState, _ retryAfter: Duration?, _ elapsed: Duration) -> Duration? {
        random.draw { state.pause(retryAfter: retryAfter, elapsed: elapsed, using: &$0) }
    }
}

/// The number of failed attempts and the remaining time.
private struct RetryState {
    let policy: RetryPolicy
    let timeout: Duration?
    private var failures = 0

    init(policy: RetryPolicy, timeout: Duration?) {
        self.policy = policy
        self.timeout = timeout
    }

    func remaining(after elapsed: Duration) -> Duration? { timeout.map { max(.zero, $0 - elapsed) } }

    /// Counts a failure. Returns the pause before the next attempt; nil to stop.
    mutating func pause(
        retryAfter: Duration?, elapsed: Duration, using random: inout some RandomNumberGenerator
    ) -> Duration? {
        failures += 1
        let pause = policy.delay(afterFailures: failures, retryAfter: retryAfter, using: &random)
        guard let pause, let remaining = remaining(after: elapsed) else { return pause }
        // A pause that ends after the deadline would only delay the error.
        return pause < remaining ? pause : nil
    }
}

extension TransportResponse {
    fileprivate var asksForRetry: Bool {
        guard provenance.failure == nil, provenance.source == .network else { return false }
        switch head.status.code {
        case 408, 425, 429, 502, 503, 504: return true
        default: return false
        }
    }
}
