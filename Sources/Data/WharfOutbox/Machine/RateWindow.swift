internal import WharfCore

/// A sliding-window rate limiter.
struct RateWindow {
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
        let free = sent[oldest] + limit.interval
        return free.hasCome(by: now) ? nil : free
    }

    /// The number of requests that may be sent now.
    ///
    /// - Complexity: O(log n) of the limit.
    func free(at now: Uptime) -> Int {
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
        sent[oldest] = now
        oldest = (oldest + 1) % sent.count
    }
}
