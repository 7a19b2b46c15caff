/// A sorted set in an array, with O(1) removal at both ends and lazy removal inside.
struct SortedQueue<Element: Hashable & Comparable>: Sequence {
    // Invariants: `elements[first...]` is sorted without duplicates, and the elements before
    // `first` are gone.
    private var elements: [Element] = []
    private var first = 0
    /// Tombstones: removed elements still in `elements[first...]`. Neither end is ever one.
    private var removed: Set<Element> = []

    var isEmpty: Bool { first == elements.count }
    var count: Int { elements.count - first - removed.count }
    var head: Element? { isEmpty ? nil : elements[first] }

    /// - Complexity: that of `Array.append` for an element greater than all others.
    mutating func insert(_ element: Element) {
        guard removed.remove(element) == nil else { return }
        if let last = elements.last, last >= element, !isEmpty {
            let place = index(notBefore: element)
            if elements[place] != element { elements.insert(element, at: place) }
        } else {
            elements.append(element)
        }
    }

    /// Removes an element, which must be in the queue.
    mutating func remove(_ element: Element) {
        if element == head {
            first += 1
            // Removed elements behind the new head go with it: neither end is ever a tombstone.
            while let head, removed.remove(head) != nil { first += 1 }
        } else if element == elements.last {
            elements.removeLast()
            while let last = elements.last, removed.remove(last) != nil { elements.removeLast() }
        } else {
            removed.insert(element)
        }
        // Compacted when more than half is gone, so the cost of a removal is constant on average.
        guard first + removed.count > elements.count / 2 + 32 || isEmpty else { return }
        elements = Array(self)
        first = 0
        removed = []
    }

    func contains(_ element: Element) -> Bool {
        let place = index(notBefore: element)
        return place < elements.count && elements[place] == element && !removed.contains(element)
    }

    /// Returns the last element that is less than `element`.
    func last(before element: Element) -> Element? {
        elements[first..<index(notBefore: element)].last { !removed.contains($0) }
    }

    func makeIterator() -> some IteratorProtocol<Element> { elements(after: nil).makeIterator() }

    /// Returns the elements that are greater.
    ///
    /// - Parameter element: nil for all.
    func elements(after element: Element?) -> some Sequence<Element> {
        var start = element.map(index(notBefore:)) ?? first
        if start < elements.count, elements[start] == element { start += 1 }
        return elements[start...].lazy.filter { [removed] in removed.isEmpty || !removed.contains($0) }
    }

    private func index(notBefore element: Element) -> Int {
        var (low, high) = (first, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if elements[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension SortedQueue: Sendable where Element: Sendable {}

/// A queue of entries in the order of their commits.
typealias PositionQueue = SortedQueue<Int64>
