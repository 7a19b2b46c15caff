internal import WharfCore

/// A destination's concurrency limit: additive increase, multiplicative decrease.
///
/// The limit halves when the receiver shows congestion (429, 5xx, no answer), once for all requests
/// that were in flight then. It grows by one after as many successes as the limit (RFC 5681 §3.1,
/// counted in requests).
struct AdaptiveConcurrency {
    // Invariants: `limit` is between 1 and `most`, and `successes` is less than `limit`.
    let most: Int
    private(set) var limit: Int
    private var successes = 0
    private var lastDecrease: Uptime?

    init(most: Int) {
        self.most = max(1, most)
        limit = self.most
    }

    mutating func recordSuccess() {
        // At the most no successes are saved up, so growth after the next decrease starts from
        // zero.
        guard limit < most else { return }
        successes += 1
        guard successes >= limit else { return }
        successes = 0
        limit += 1
    }

    /// - Parameter began: when the request was sent. A request from before the last decrease says
    ///   nothing about the present limit, so it is ignored.
    mutating func recordCongestion(_ began: Uptime, at now: Uptime) {
        if let lastDecrease, began.nanoseconds < lastDecrease.nanoseconds { return }
        lastDecrease = now
        successes = 0
        // At zero no request would be sent, and none could succeed to raise the limit.
        limit = max(1, limit / 2)
    }
}
