internal import WharfCore

/// A sliding-window rate limiter.
struct RateWindow {
    // Invariants: `sent` has at most `limit.count` times, from `oldest` on in the order of the
    // sends. `oldest` is 0 until the buffer is full.
    private let limit: RateLimit
    /// A ring buffer of the times of the last requests, with the oldest at ``oldest``.
    private var sent: [Uptime] = []
    private var oldest = 0

    init(_ limit: RateLimit) { self.limit = limit }

    /// The time at which the next request may be sent; nil for now.
    ///
    /// - Complexity: O(1).
    func nextFree(at now: Uptime) -> Uptime? {
        guard sent.count == limit.count else { return nil }
        // The window is full, so its oldest request has to leave it before the next may enter.
        let free = sent[oldest] + limit.interval
        return free.hasCome(by: now) ? nil : free
    }

    /// The number of requests that may be sent now.
    ///
    /// - Complexity: O(log n) of the limit.
    func freeCount(at now: Uptime) -> Int {
        // The times are sorted from `oldest` on. A binary search counts those that have left the
        // window.
        var (low, high) = (0, sent.count)
        while low < high {
            let middle = (low + high) / 2
            if (sent[(oldest + middle) % sent.count] + limit.interval).hasCome(by: now) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return limit.count - sent.count + low
    }

    mutating func send(at now: Uptime) {
        guard sent.count == limit.count else { return sent.append(now) }
        // `nextFree` has said that the oldest has left the window, so its slot is reused.
        sent[oldest] = now
        oldest = (oldest + 1) % sent.count
    }
}
