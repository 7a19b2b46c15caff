internal import WharfCore

/// A sliding window: at most so many requests in each interval of a length.
struct RateWindow {
    private let limit: RateLimit
    /// When the last requests were sent, the oldest first from ``oldest`` on, around the end.
    private var sent: [Uptime] = []
    private var oldest = 0

    init(_ limit: RateLimit) { self.limit = limit }

    /// When the next request may be sent; nil: now.
    ///
    /// - Complexity: O(1).
    func nextFree(at now: Uptime) -> Uptime? {
        guard sent.count == limit.count else { return nil }
        let free = sent[oldest] + limit.interval
        return free.hasCome(by: now) ? nil : free
    }

    /// How many requests may be sent now.
    ///
    /// - Complexity: O(log n) of the limit.
    func free(at now: Uptime) -> Int {
        // The moments are in order from the oldest on: how many of them are over?
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
