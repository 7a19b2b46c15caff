internal import WharfCore

/// The entries in the order of their last use, as a doubly linked list in one array.
///
/// Each change takes constant time.
struct RecencyList: Sendable {
    typealias Place = Int

    private struct Node {
        var key: CacheKey
        var id: StoredResponse.ID
        var cost: Int
        var newer: Place
        var older: Place
    }

    private static let none: Place = -1
    private var nodes: [Node] = []
    private var vacant: [Place] = []
    private var newestPlace = none
    private var oldestPlace = none

    var oldest: (key: CacheKey, id: StoredResponse.ID)? {
        oldestPlace == Self.none ? nil : (nodes[oldestPlace].key, nodes[oldestPlace].id)
    }

    mutating func insert(_ key: CacheKey, _ id: StoredResponse.ID, cost: Int) -> Place {
        let node = Node(key: key, id: id, cost: cost, newer: Self.none, older: Self.none)
        let place: Place
        if let free = vacant.popLast() {
            place = free
            nodes[place] = node
        } else {
            place = nodes.count
            nodes.append(node)
        }
        linkAsNewest(place)
        return place
    }

    /// Moves an entry to the front, unless its place belongs to another entry by now.
    mutating func touch(_ place: Place, _ id: StoredResponse.ID) {
        guard place != newestPlace, nodes[place].id == id else { return }
        unlink(place)
        linkAsNewest(place)
    }

    /// Sets the cost of an entry.
    ///
    /// - Returns: the previous cost.
    mutating func setCost(_ place: Place, _ cost: Int) -> Int {
        let before = nodes[place].cost
        nodes[place].cost = cost
        return before
    }

    /// Removes an entry.
    ///
    /// - Returns: the entry's cost.
    mutating func remove(_ place: Place) -> Int {
        unlink(place)
        let cost = nodes[place].cost
        // Ids begin at 1, so a late `touch` does not match the vacant place.
        nodes[place] = Node(key: CacheKey(target: ""), id: 0, cost: 0, newer: Self.none, older: Self.none)
        vacant.append(place)
        return cost
    }

    private mutating func linkAsNewest(_ place: Place) {
        nodes[place].older = newestPlace
        nodes[place].newer = Self.none
        if newestPlace == Self.none { oldestPlace = place } else { nodes[newestPlace].newer = place }
        newestPlace = place
    }

    private mutating func unlink(_ place: Place) {
        let (newer, older) = (nodes[place].newer, nodes[place].older)
        if newer == Self.none { newestPlace = older } else { nodes[newer].older = older }
        if older == Self.none { oldestPlace = newer } else { nodes[older].newer = newer }
    }
}
