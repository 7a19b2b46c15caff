internal import WharfCore

/// The requests in flight to one destination, with or without a permit.
///
/// A request that takes much longer than others releases its permit to another lane, so that
/// hanging requests don't block the other lanes. It stays in flight and keeps its lease.
struct RequestsInFlight {
    // Invariants: each slow request is in `sent`; a request that is not slow holds a permit of its
    // destination.

    /// The time at which each request was sent, by the number of its lease.
    private var sent: [Int64: Uptime] = [:]
    /// The requests that have released their permits.
    private var slow: Set<Int64> = []
    /// The moving average of the latency of successes, weighted by 1/8 (RFC 6298 §2).
    private var latency = Duration.zero

    /// The least time after which a request is slow.
    static let leastSlow = Duration.seconds(2)
    /// The time after which every request is slow.
    static let mostSlow = Duration.seconds(30)

    var slowCount: Int { slow.count }

    private var slowAfter: Duration { min(max(Self.leastSlow, latency * 4), Self.mostSlow) }

    mutating func beginRequest(_ request: Int64, at now: Uptime) { sent[request] = now }

    func began(_ request: Int64) -> Uptime? { sent[request] }

    /// Removes a request.
    ///
    /// - Parameter hasSucceeded: only then its time counts. A receiver that is always slow makes no
    ///   request slow; lanes that run into their timeouts do.
    /// - Returns: whether the request still held its permit.
    mutating func endRequest(_ request: Int64, hasSucceeded: Bool, at now: Uptime) -> Bool {
        if let began = sent.removeValue(forKey: request), hasSucceeded {
            let took = Duration.nanoseconds(max(0, now.nanoseconds - began.nanoseconds))
            latency = latency == .zero ? took : latency * 7 / 8 + took / 8
        }
        return slow.remove(request) == nil
    }

    /// When the next request becomes slow; nil if none will.
    var nextSlow: Uptime? {
        let first = sent.lazy.filter { !slow.contains($0.key) }.map(\.value).min { $0.nanoseconds < $1.nanoseconds }
        return first.map { $0 + slowAfter }
    }

    /// - Returns: the number of permits that newly slow requests release.
    mutating func releaseSlow(at now: Uptime) -> Int {
        let found = sent.filter { !slow.contains($0.key) && ($0.value + slowAfter).hasCome(by: now) }
        slow.formUnion(found.keys)
        return found.count
    }
}
