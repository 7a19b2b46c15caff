internal import WharfCore

/// The state of the refreshes of one key. All observers of the key share it.
///
/// A refresh is a request to the source in a ``WharfCore/CacheMode`` that may use the network.
///
/// | event | requests under way | paused | last failure | next automatic request |
/// |---|---|---|---|---|
/// | a request to the network begins | one more | no | stays | |
/// | it ends with a value or an answer | one less | | none | at once |
/// | it ends with a failure | one less | | this one | after a pause |
/// | it was cancelled | one less | | stays | |
/// | there is no network | | yes | `offline` | |
///
/// The pause is for observers that begin, and for a timer. Without it, each row of a list that
/// shows the same model would ask a service that has just failed. A read, an invalidation and the
/// return of the network ask at once.
struct RefreshState {
    private struct Request {
        /// A request may look at the stored value before it asks the network.
        enum Phase {
            case looking, looked, asking
        }

        let mode: CacheMode
        var phase: Phase
    }

    private var requests: [Request] = []
    private(set) var isPaused = false
    /// The failure of the last refresh; nil if that succeeded.
    private(set) var failure: ReadFailure?
    /// An observer that begins in this time does not ask, nor does a timer.
    ///
    /// A clock that is set back leaves the range. With an end alone, the pause would last until the
    /// clock is there again.
    private var pause: Range<WallTime>?

    private static let shortestPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(60)

    mutating func begin(_ mode: CacheMode, isLooking: Bool = false) {
        requests.append(Request(mode: mode, phase: isLooking ? .looking : .asking))
        isPaused = false
    }

    /// Notes that a request has looked at the stored value.
    ///
    /// It may end here: no observer may want more.
    mutating func endLook(_ mode: CacheMode) {
        if let index = requests.firstIndex(where: { $0.mode == mode && $0.phase == .looking }) {
            requests[index].phase = .looked
        }
    }

    /// Notes that a request that has looked asks the network.
    mutating func ask(_ mode: CacheMode) {
        if let index = requests.firstIndex(where: { $0.mode == mode && $0.phase == .looked }) {
            requests[index].phase = .asking
        }
    }

    /// Ends the oldest request of a mode.
    mutating func end(_ mode: CacheMode) {
        if let index = requests.firstIndex(where: { $0.mode == mode }) { requests.remove(at: index) }
    }

    /// Notes the outcome of a request: its failure, or nil.
    mutating func note(_ failure: ReadFailure?, at now: WallTime) {
        guard failure?.code != .cancelled else { return }
        self.failure = failure
        pause = failure.flatMap { Self.pause(after: $0, at: now) }.map { now..<now + max(.zero, $0) }
    }

    /// Notes that there is no network.
    mutating func pauseOffline() { (isPaused, failure) = (true, .offline) }

    /// Whether a request of a mode is under way, and still looks at the stored value.
    func isLooking(_ mode: CacheMode) -> Bool { requests.contains { $0.mode == mode && $0.phase == .looking } }

    func isOpen(_ mode: CacheMode) -> Bool { requests.contains { $0.mode == mode } }

    /// Returns whether an observer that begins now, or a timer, may ask the network.
    func mayBegin(at now: WallTime) -> Bool { pause?.contains(now) != true }

    /// Returns the first snapshot of an observer that wants a refresh.
    ///
    /// - Parameter known: the known value, with the error of the look.
    func first<Value>(_ known: Snapshot<Value>, _ policy: ReadPolicy) -> Snapshot<Value> {
        let fetch = fetch(policy, hasValue: known.kept != nil)
        // The network is asked, so an empty look is no news. Its answer may differ from the last
        // one, such as a 401 from before the sign-in.
        if fetch == .refreshing {
            let error = known.error?.code == .nothingKept ? nil : known.error
            return Snapshot(kept: known.kept, error: error ?? (failure?.isAnswer == true ? nil : failure))
        }
        guard let failure else { return known }
        return Snapshot(kept: failure.isAnswer ? nil : known.kept, error: failure)
    }

    /// Returns the state for an observer.
    ///
    /// - Parameter hasValue: whether the observer is shown a value.
    func fetch(_ policy: ReadPolicy, hasValue: Bool) -> FetchStatus {
        // An observer that takes any value needs no network for it.
        if policy == .cacheOnly || policy == .cacheFirst && hasValue { return .idle }
        if requests.contains(where: { $0.phase == .asking }) { return .refreshing }
        return isPaused ? .paused : .idle
    }

    /// Returns the pause after a failure; nil if it says nothing about the next request.
    private static func pause(after failure: ReadFailure, at now: WallTime) -> Duration? {
        let asked = failure.response.flatMap { RetryAfter.delay(in: $0.headerFields, now: now) }
        if failure.isAnswer { return asked.map { min($0, longestPause) } }
        // These depend on the app or on the device.
        let local: [ReadFailure.Code] = [
            .nothingKept, .closed, .offline, .credentialUnavailable, .storeFailed, .unsupported,
        ]
        if local.contains(failure.code) { return nil }
        return min(max(asked ?? .zero, shortestPause), longestPause)
    }
}
