/// The unanswered requests, by `requestId`.
struct CastRequests {
    enum RequestKind: Hashable {
        case apps
        case launch
        case join
        case look
        case command(UInt64)
    }

    struct Request: Hashable {
        let purpose: RequestKind
        /// The type of the sent message, such as `PLAY`.
        let type: String
        let due: Duration
    }

    private var open: [Int: Request] = [:]
    private var last = 0

    var due: Duration? { open.values.map(\.due).min() }
    var isLooking: Bool { open.values.contains { $0.purpose == .look } }

    /// - Returns: the `requestId`. Zero marks messages that answer no request.
    mutating func add(_ request: Request) -> Int {
        // Ids are never reused: a late answer must not settle another request.
        last += 1
        open[last] = request
        return last
    }

    subscript(id: Int?) -> Request? { id.flatMap { open[$0] } }

    mutating func remove(_ id: Int?) { if let id { open[id] = nil } }

    /// Removes launch requests once the app runs. Any message may have reported that.
    mutating func removeLaunch() { open = open.filter { $0.value.purpose != .launch } }

    /// Removes and returns the overdue requests, in the order in which they were sent.
    mutating func takeOverdue(at now: Duration) -> [Request] {
        // Sorted, as the order of a dictionary differs between processes.
        let ids = open.filter { $0.value.due <= now }.keys.sorted()
        return ids.compactMap { open.removeValue(forKey: $0) }
    }
}
