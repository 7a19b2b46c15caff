internal import WharfCore

/// Which requests a batch takes, as a value: the whole first, then what its answers leave to be
/// sent, always in order.
struct BatchSplit {
    /// Places in the batch. The last part is sent next.
    private var open: [[Int]]
    private var verdicts: [Delivery.Verdict?]

    init(_ count: Int) {
        open = count > 0 ? [Array(0..<count)] : []
        verdicts = Array(repeating: nil, count: count)
    }

    /// The next part, to be answered by ``take(_:_:for:)``; nil when there is a verdict for each.
    mutating func next() -> [Int]? { open.popLast() }

    /// - Parameter failure: of those that are not taken.
    mutating func take(_ answer: CollectorAnswer, _ failure: DeliveryFailure, for part: [Int]) {
        switch answer {
        case .accepted: settle(part, .delivered)
        case .tooLarge: halve(part, failure)
        case .refused(let places):
            let named = places.filter(part.indices.contains)
            if named.isEmpty { return halve(part, failure) }
            settle(named.map { part[$0] }, .rejected(failure))
            let rest = part.indices.filter { !named.contains($0) }
            if !rest.isEmpty { open.append(rest.map { part[$0] }) }
        case .failed(let verdict):
            settle(part + open.joined(), verdict)
            open = []
        }
    }

    /// As long as there is a part, nil stands for those that wait.
    func result() -> [Delivery.Verdict] { verdicts.compactMap(\.self) }

    private mutating func settle(_ places: [Int], _ verdict: Delivery.Verdict) {
        for place in places { verdicts[place] = verdict }
    }

    private mutating func halve(_ part: [Int], _ failure: DeliveryFailure) {
        guard part.count > 1 else { return settle(part, .rejected(failure)) }
        let middle = part.count / 2
        open.append(Array(part[middle...]))
        open.append(Array(part[..<middle]))
    }
}
