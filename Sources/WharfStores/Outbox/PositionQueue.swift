/// Positions in ascending order, of which those in front are taken out at no cost, and the others at a small one.
struct PositionQueue: Sequence {
    private var positions: [Int64] = []
    private var first = 0
    /// Those in `positions` from `first` on that are not there any more.
    private var removed: Set<Int64> = []

    var isEmpty: Bool { first == positions.count }
    var head: Int64? { isEmpty ? nil : positions[first] }

    /// - Complexity: that of `Array.append` for one behind all others.
    mutating func insert(_ position: Int64) {
        guard removed.remove(position) == nil else { return }
        if let last = positions.last, last >= position, !isEmpty {
            let place = index(notBefore: position)
            if positions[place] != position { positions.insert(position, at: place) }
        } else {
            positions.append(position)
        }
    }

    /// Of one that is in it.
    mutating func remove(_ position: Int64) {
        if position == head {
            first += 1
            while let head, removed.remove(head) != nil { first += 1 }
        } else {
            removed.insert(position)
        }
        guard first + removed.count > positions.count / 2 + 32 || isEmpty else { return }
        positions = Array(self)
        first = 0
        removed = []
    }

    func makeIterator() -> some IteratorProtocol<Int64> { elements(after: .min).makeIterator() }

    func elements(after position: Int64) -> some Sequence<Int64> {
        let start = position == .min ? first : index(notBefore: position + 1)
        return positions[start...].lazy.filter { [removed] in removed.isEmpty || !removed.contains($0) }
    }

    private func index(notBefore position: Int64) -> Int {
        var (low, high) = (first, positions.count)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
