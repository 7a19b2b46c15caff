internal import WharfCore

/// The requests of one destination that hold a permit, and those that hang.
///
/// A request that takes much longer than others releases its permit to another lane, so that lanes
/// whose requests hang don't block the others. It stays in flight and keeps its lease.
struct RequestsInFlight {
    /// By the numbers of their leases: when they were sent.
    private var sent: [Int64: Uptime] = [:]
    /// The requests that have released their permits.
    private var slow: Set<Int64> = []
    /// The mean of how long successes took, weighted by 1/8 (RFC 6298 §2).
    private var latency = Duration.zero

    /// No request is slow before this.
    static let leastSlow = Duration.seconds(2)
    /// Each request is slow after this.
    static let mostSlow = Duration.seconds(30)

    var slowCount: Int { slow.count }

    private var slowAfter: Duration { min(max(Self.leastSlow, latency * 4), Self.mostSlow) }

    mutating func begin(_ request: Int64, at now: Uptime) { sent[request] = now }

    func began(_ request: Int64) -> Uptime? { sent[request] }

    /// - Parameter hasSucceeded: only then its time counts. A receiver that is always slow makes no
    ///   request slow; lanes that run into their timeouts do.
    /// - Returns: whether the request still held its permit.
    mutating func end(_ request: Int64, hasSucceeded: Bool, at now: Uptime) -> Bool {
        if let began = sent.removeValue(forKey: request), hasSucceeded {
            let took = Duration.nanoseconds(max(0, now.nanoseconds - began.nanoseconds))
            latency = latency == .zero ? took : latency * 7 / 8 + took / 8
        }
        return slow.remove(request) == nil
    }

    /// When the next request is slow; nil if none will be.
    var nextSlow: Uptime? {
        let first = sent.lazy.filter { !slow.contains($0.key) }.map(\.value).min { $0.nanoseconds < $1.nanoseconds }
        return first.map { $0 + slowAfter }
    }

    /// - Returns: how many permits the requests release that are slow by now.
    mutating func releaseSlow(at now: Uptime) -> Int {
        let found = sent.filter { !slow.contains($0.key) && ($0.value + slowAfter).hasCome(by: now) }
        slow.formUnion(found.keys)
        return found.count
    }
}
