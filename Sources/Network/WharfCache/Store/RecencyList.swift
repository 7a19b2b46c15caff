internal import WharfCore
internal import WharfStorage

/// The entries in the order of their last use, as a doubly linked list in one array.
///
/// Each change takes constant time.
struct RecencyList: Sendable {
    typealias Place = Int

    struct Node {
        var key: CacheKey
        var id: StoredResponse.ID
        var cost: Int
        /// The number of its last use: the newer of two nodes has the higher one.
        var use: Int64 = 0
        var newer: Place
        var older: Place
    }

    private static let none: Place = -1
    // Invariants: each place is linked from newest to oldest exactly once, or is in `vacant`. The
    // list's ends have `none` as neighbour.
    private var nodes: [Node] = []
    private var vacant: [Place] = []
    private var newestPlace = none
    private var oldestPlace = none
    private var lastUse: Int64 = 0
    /// The number of entries.
    var count: Int { nodes.count - vacant.count }

    var oldest: (key: CacheKey, id: StoredResponse.ID)? {
        oldestPlace == Self.none ? nil : (nodes[oldestPlace].key, nodes[oldestPlace].id)
    }

    mutating func insert(_ key: CacheKey, _ id: StoredResponse.ID, cost: Int) -> Place {
        let node = Node(key: key, id: id, cost: cost, newer: Self.none, older: Self.none)
        let place: Place
        // Vacant places are used first, so the array stays as long as the largest number of
        // entries.
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

    /// Moves an entry to the front, unless its place is gone or belongs to another entry by now.
    mutating func touch(_ place: Place, _ id: StoredResponse.ID) {
        // The place comes from an earlier list, if the store has ended since the entry was read.
        guard nodes.indices.contains(place) else { return }
        // A response that is hit again and again is the newest already.
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

    /// Returns the entries whose last use is before a number, the newest first.
    func newest(usedBefore use: Int64, limit: Int) -> [Node] {
        var found: [Node] = []
        var place = newestPlace
        while place != Self.none, found.count < limit {
            if nodes[place].use < use { found.append(nodes[place]) }
            place = nodes[place].older
        }
        return found
    }

    private mutating func linkAsNewest(_ place: Place) {
        nodes[place].older = newestPlace
        nodes[place].newer = Self.none
        lastUse += 1
        nodes[place].use = lastUse
        if newestPlace == Self.none { oldestPlace = place } else { nodes[newestPlace].newer = place }
        newestPlace = place
    }

    private mutating func unlink(_ place: Place) {
        let (newer, older) = (nodes[place].newer, nodes[place].older)
        // At an end, the list's own end moves instead of a neighbour.
        if newer == Self.none { newestPlace = older } else { nodes[newer].older = older }
        if older == Self.none { oldestPlace = newer } else { nodes[older].newer = newer }
    }
}
