/// The difference between two lists whose elements have ids.
struct ElementChanges: Hashable, Sendable {
    private struct ElementChange: Hashable, Sendable {
        let id: [UInt8]
        /// The id of the element before it in the changed list; nil for the first one.
        let predecessor: [UInt8]?
        let change: PartChange
    }

    private let changes: [ElementChange]
    /// The ids of the changed list; nil if the elements of both lists keep their order.
    private let order: [[UInt8]]?

    init(from before: [CodecMembers.Element], to after: [CodecMembers.Element]) {
        let known = Dictionary(before.map { ($0.id, $0.part) }) { _, last in last }
        let ids = after.map(\.id)
        let remaining = Set(ids)
        var changes: [ElementChange] = []
        for (index, element) in after.enumerated() {
            // A known element has the difference of its parts. A new one is added with its place.
            let change = known[element.id].map { PartChange(from: $0, to: element.part) } ?? .adding(element.part)
            guard let change else { continue }
            let predecessor = index == 0 ? nil : ids[index - 1]
            changes.append(ElementChange(id: element.id, predecessor: predecessor, change: change))
        }
        for element in before where !remaining.contains(element.id) {
            changes.append(ElementChange(id: element.id, predecessor: nil, change: .set(nil)))
        }
        self.changes = changes
        // Only elements of both lists are compared. An insertion or a removal alone moves none.
        let isInOrder = before.map(\.id).filter(remaining.contains) == ids.filter { known[$0] != nil }
        order = isInOrder ? nil : ids
    }

    /// Returns whether two changes of one list can both be made.
    ///
    /// They change different elements, or change the same ones in the same way. At most one of them
    /// may move elements, unless both produce the same order.
    func isIndependent(of other: ElementChanges) -> Bool {
        // Two clients have moved elements in different ways, so both can't be made.
        if let order, let theirs = other.order, order != theirs { return false }
        let known = Dictionary(other.changes.map { ($0.id, $0.change) }) { _, last in last }
        return changes.allSatisfy { change in known[change.id].map { change.change.isIndependent(of: $0) } ?? true }
    }

    /// Returns the elements after the change.
    ///
    /// - Complexity: O(*n* · *k*) for *n* elements and *k* changes.
    func applied(to elements: [CodecMembers.Element]) -> [CodecMembers.Element] {
        var elements = elements
        // Sorted first. A new element is then inserted behind its predecessor where the maker has
        // seen it.
        if let order { elements = Self.sorted(elements, by: order) }
        for change in changes {
            let index = elements.firstIndex { $0.id == change.id }
            guard let part = change.change.applied(to: index.map { elements[$0].part }) else {
                elements.removeAll { $0.id == change.id }
                continue
            }
            if let index {
                elements[index].part = part
                continue
            }
            let place =
                if let predecessor = change.predecessor {
                    // The other client may have removed the predecessor. The element then comes
                    // last.
                    elements.firstIndex { $0.id == predecessor }.map { $0 + 1 } ?? elements.endIndex
                } else {
                    elements.startIndex
                }
            elements.insert(.init(change.id, part), at: place)
        }
        return elements
    }

    /// Returns the elements in an order of ids.
    ///
    /// An element that the order lacks stays behind its previous predecessor.
    private static func sorted(_ elements: [CodecMembers.Element], by order: [[UInt8]]) -> [CodecMembers.Element] {
        let ranks = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        // Elements that the order lacks stay in the group of the element before them. Those at the
        // front have the rank -1.
        var groups: [(rank: Int, elements: [CodecMembers.Element])] = [(-1, [])]
        for element in elements {
            if let rank = ranks[element.id] {
                groups.append((rank, [element]))
            } else {
                groups[groups.count - 1].elements.append(element)
            }
        }
        return groups.sorted { $0.rank < $1.rank }.flatMap(\.elements)
    }
}
