/// The lanes of a destination that failed, beside the successes of all of them.
///
/// A lane that fails while others succeed has a failure of its own: a host that does not exist, or
/// a permission that one path lacks. It must not close the destination for the others.
struct LaneFailures {
    /// How often a lane has succeeded.
    private(set) var successes = 0
    /// The lanes that failed and have not succeeded since, with ``successes`` at their last
    /// failure.
    private var failed: [String: Int] = [:]

    /// Above this number of lanes their failures are forgotten. One more attempt learns each again.
    static let most = 10_000

    mutating func succeeded(_ lane: String) {
        successes += 1
        failed[lane] = nil
    }

    /// Records a failure, and tells whether other lanes have succeeded in the meantime.
    ///
    /// - Parameter before: ``successes`` when the attempt began. If the last attempt of the lane
    ///   failed too, the meantime begins at that failure.
    mutating func isAlone(_ lane: String, since before: Int) -> Bool {
        if failed.count > Self.most { failed = [:] }
        defer { failed[lane] = successes }
        return successes > failed[lane] ?? before
    }

    /// Whether an attempt of the lane may tell something new.
    func isUntried(_ lane: String) -> Bool { failed[lane].map { $0 < successes } ?? true }

    /// The lanes whose attempts tell nothing new.
    var tried: Set<String> { Set(failed.keys.filter { !isUntried($0) }) }

    mutating func forget() { failed = [:] }
}
