internal import WharfCore

/// The requests that a batch takes, as a value.
///
/// The whole batch is sent first, then the parts that its answers leave, always in order.
struct BatchSplit {
    /// The parts as indices of the batch. The last part is sent next.
    private var open: [[Int]]
    private var verdicts: [Delivery.Verdict?]

    // Invariant: each event has a verdict, or is in exactly one part: an open one, or the one that
    // `next()` has returned last.
    init(_ count: Int) {
        open = count > 0 ? [Array(0..<count)] : []
        verdicts = Array(repeating: nil, count: count)
    }

    /// Returns the next part; nil when every event has a verdict.
    ///
    /// Report its answer by ``take(_:_:for:)``.
    mutating func next() -> [Int]? { open.popLast() }

    /// - Parameter failure: the failure of events that are not taken.
    mutating func take(_ answer: CollectorAnswer, _ failure: DeliveryFailure, for part: [Int]) {
        switch answer {
        case .accepted: settle(part, .delivered)
        case .tooLarge: halve(part, failure)
        case .refused(let places):
            // A collector may name places that are not in the request. Without a known one the
            // answer names no event.
            let named = places.filter(part.indices.contains)
            if named.isEmpty { return halve(part, failure) }
            settle(named.map { part[$0] }, .rejected(failure))
            let rest = part.indices.filter { !named.contains($0) }
            if !rest.isEmpty { open.append(rest.map { part[$0] }) }
        case .failed(let verdict):
            // The next request would fail in the same way, so the rest of the batch gets the
            // verdict without one.
            settle(part + open.joined(), verdict)
            open = []
        }
    }

    /// The verdicts. While a part is waiting, those of its events are left out.
    func result() -> [Delivery.Verdict] { verdicts.compactMap(\.self) }

    private mutating func settle(_ places: [Int], _ verdict: Delivery.Verdict) {
        for place in places { verdicts[place] = verdict }
    }

    private mutating func halve(_ part: [Int], _ failure: DeliveryFailure) {
        // A single event that is refused alone is the culprit.
        guard part.count > 1 else { return settle(part, .rejected(failure)) }
        let middle = part.count / 2
        // The last part is sent next, so the second half is added first. The events stay in order.
        open.append(Array(part[middle...]))
        open.append(Array(part[..<middle]))
    }
}
