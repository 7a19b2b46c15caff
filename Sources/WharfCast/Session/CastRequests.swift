#if Cast
/// What was asked and has no answer yet, by `requestId`.
struct CastRequests {
    enum Purpose: Hashable {
        case apps
        case launch
        case join
        case look
        case command(UInt64)
    }

    struct Request: Hashable {
        let purpose: Purpose
        /// As it was sent, as `PLAY`.
        let type: String
        let due: Duration
    }

    private var open: [Int: Request] = [:]
    private var last = 0

    var due: Duration? { open.values.map(\.due).min() }
    var isLooking: Bool { open.values.contains { $0.purpose == .look } }

    /// - Returns: its `requestId`. Zero is what nobody asked for.
    mutating func add(_ request: Request) -> Int {
        last += 1
        open[last] = request
        return last
    }

    subscript(id: Int?) -> Request? { id.flatMap { open[$0] } }

    mutating func remove(_ id: Int?) { if let id { open[id] = nil } }

    /// The app runs, whichever message said so.
    mutating func removeLaunch() { open = open.filter { $0.value.purpose != .launch } }

    /// In the order in which they were sent.
    mutating func takeOverdue(at now: Duration) -> [Request] {
        let ids = open.filter { $0.value.due <= now }.keys.sorted()
        return ids.compactMap { open.removeValue(forKey: $0) }
    }
}
#endif
