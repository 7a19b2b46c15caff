/// The lanes of a destination that failed, compared with the successes of all lanes.
///
/// If a lane fails while others succeed, the cause is its own: a host that does not exist, or a
/// permission that one path lacks. That failure must not open the circuit breaker for the others.
struct LaneFailures {
    /// The number of successes, over all lanes.
    private(set) var successes = 0
    /// The lanes that failed and have not succeeded since.
    ///
    /// The value is ``successes`` at the lane's last failure.
    private var failed: [String: Int] = [:]

    /// The bound on ``failed``. Above it all failures are forgotten, and one more attempt of each
    /// lane learns them again.
    static let most = 10_000

    mutating func recordSuccess(_ lane: String) {
        successes += 1
        failed[lane] = nil
    }

    /// Records a failure, and returns whether other lanes have succeeded meanwhile.
    ///
    /// - Parameter before: ``successes`` when the attempt began. If the last attempt of the lane
    ///   failed too, the time counts from that failure.
    mutating func recordFailure(_ lane: String, since before: Int) -> Bool {
        if failed.count > Self.most { failed = [:] }
        // The count is stored after the comparison, so the next failure counts the successes since
        // this one.
        defer { failed[lane] = successes }
        return successes > failed[lane] ?? before
    }

    /// Whether an attempt of the lane may give new information.
    func isUntried(_ lane: String) -> Bool { failed[lane].map { $0 < successes } ?? true }

    /// The lanes whose attempts would give no new information.
    var tried: Set<String> { Set(failed.keys.filter { !isUntried($0) }) }

    mutating func forget() { failed = [:] }
}
