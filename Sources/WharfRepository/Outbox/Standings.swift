internal import WharfCore

/// Where the changes of one model stand: the earliest of each rank, without a look at the others.
///
/// What stands elsewhere by now is left in its queue until it would be the earliest there.
struct Standings {
    /// What says more is greater.
    enum Rank: Int, CaseIterable {
        case waiting
        /// With a failure of its own.
        case held
        case sending, failed
    }

    /// A change as it came.
    struct Place {
        let entry: OutboxEntry.ID
        /// Those that came later have greater ones.
        let number: UInt64
        /// nil for what was taken.
        var rank: Rank?
        /// The queues that have it.
        fileprivate var queued: Set<Rank> = []

        init(_ entry: OutboxEntry.ID, number: UInt64) { (self.entry, self.number) = (entry, number) }
    }

    private var places: [OutboxEntry.ID: Place] = [:]
    private var queues = Rank.allCases.map { _ in EarliestFirst() }

    var isEmpty: Bool { places.isEmpty }

    mutating func insert(_ place: Place) { places[place.entry] = place }

    mutating func remove(_ entry: OutboxEntry.ID) {
        places[entry] = nil
        // Those that nobody asks for the earliest of are cleared here.
        for index in queues.indices where queues[index].count > 2 * places.count + 16 {
            queues[index].removeAll { number, entry in places[entry]?.number != number }
        }
    }

    /// Of all queues: no more than twice the changes in each, and a few.
    var queued: Int { queues.reduce(0) { $0 + $1.count } }

    mutating func set(_ entry: OutboxEntry.ID, to rank: Rank?) {
        guard var place = places[entry] else { return }
        place.rank = rank
        if let rank, place.queued.insert(rank).inserted { queues[rank.rawValue].insert(place.number, entry) }
        places[entry] = place
    }

    /// - Complexity: logarithmic, over all that is done.
    mutating func first(_ rank: Rank) -> Place? {
        while let (number, entry) = queues[rank.rawValue].first {
            let place = places[entry].flatMap { $0.number == number ? $0 : nil }
            if let place, place.rank == rank { return place }
            queues[rank.rawValue].removeFirst()
            if place != nil { places[entry]?.queued.remove(rank) }
        }
        return nil
    }
}

/// Entries by the numbers of their places, the smallest first: a binary heap.
private struct EarliestFirst {
    private var heap: [(number: UInt64, entry: OutboxEntry.ID)] = []

    var first: (number: UInt64, entry: OutboxEntry.ID)? { heap.first }
    var count: Int { heap.count }

    mutating func removeAll(where isGone: (UInt64, OutboxEntry.ID) -> Bool) {
        heap.removeAll { isGone($0.number, $0.entry) }
        // What is sorted is a heap.
        heap.sort { $0.number < $1.number }
    }

    mutating func insert(_ number: UInt64, _ entry: OutboxEntry.ID) {
        heap.append((number, entry))
        var index = heap.count - 1
        while index > 0, heap[(index - 1) / 2].number > heap[index].number {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { heap[$0].number < heap[$1].number }),
                heap[least].number < heap[index].number
            else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
