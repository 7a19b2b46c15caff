internal import WharfCore

extension CacheEvent {
    /// Whether the event is the outcome of a request. Each request has exactly one.
    public var isOutcome: Bool {
        switch kind {
        case .hit, .stale, .miss, .revalidated, .collapsed, .passedOn, .failed: true
        case .stored, .notStored, .removed, .revalidatedInBackground, .evicted: false
        }
    }

    /// The reason of the event as a name.
    ///
    /// It is that of the kind, or else the reason why the request went forward. nil if there is
    /// neither.
    public var reason: String? {
        switch kind {
        case .stale(let reason): reason.rawValue
        case .notStored(let reason): reason.rawValue
        case .removed(let reason): reason.rawValue
        case .revalidatedInBackground(let result): result.rawValue
        case .evicted(let reason): reason.rawValue
        case .hit, .miss, .revalidated, .collapsed, .passedOn, .failed, .stored: forward?.rawValue
        }
    }

    /// Whether the origin, or the network on the way to it, has failed.
    ///
    /// A cancelled request, an invalid one, and one that forbids the network and finds no response
    /// are no such failures.
    public var isFailureOfOrigin: Bool {
        // No network could send an invalid request.
        guard failure != .cancelled, failure != .nothingKept, failure != .invalidRequest else { return false }
        switch kind {
        case .failed, .stale(.failure), .revalidatedInBackground(.failed), .notStored(.incomplete): return true
        // The bytes of a body that broke off are stored as a part.
        case .stored: return failure != nil
        case .miss, .passedOn, .revalidatedInBackground(.answered):
            return forwardStatus.map { [500, 502, 503, 504].contains($0) } ?? false
        default: return false
        }
    }
}

extension CacheEvent.Kind {
    /// The name of the kind, without its reason: `hit`, `notStored`.
    public var name: String {
        switch self {
        case .hit: "hit"
        case .stale: "stale"
        case .miss: "miss"
        case .revalidated: "revalidated"
        case .collapsed: "collapsed"
        case .passedOn: "passedOn"
        case .failed: "failed"
        case .stored: "stored"
        case .notStored: "notStored"
        case .removed: "removed"
        case .revalidatedInBackground: "revalidatedInBackground"
        case .evicted: "evicted"
        }
    }
}
