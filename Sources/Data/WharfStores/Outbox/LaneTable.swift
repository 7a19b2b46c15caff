internal import WharfCore

/// The lanes of one account and destination.
///
/// Lanes that are not held are sorted by the time at which their first entry is due.
struct LaneTable {
    struct Lane {
        /// The positions of the lane's pending entries.
        var queue = PositionQueue()
        var hold: Hold?
        // Invariant: the lane's element in `free`; nil if it is held or empty.
        fileprivate var place: DuePosition?

        var isHeld: Bool { hold.map { !$0.isGivenBack } == true }
    }

    struct Hold {
        let number: Int64
        var until: Uptime
        var handedOut: [Int64] = []
        var isGivenBack = false

        func isGood(at uptime: Uptime) -> Bool { !isGivenBack && !until.hasCome(by: uptime) }
    }

    struct DuePosition: Comparable {
        let time: WallTime
        let position: Int64

        static func < (a: Self, b: Self) -> Bool { (a.time, a.position) < (b.time, b.position) }
    }

    /// The lanes by name, without those that have neither pending entries nor a hold.
    private(set) var lanes: [String: Lane] = [:]
    /// The sorted places of the lanes that are not held.
    private(set) var free: [DuePosition] = []
    /// The lanes that were not released, even if their leases have run out.
    private(set) var held: Set<String> = []

    /// - Parameter time: returns when an entry is to be attempted, by its position.
    mutating func change(_ name: String, time: (Int64) -> WallTime, _ body: (inout Lane) -> Void) {
        // Taken out of the table, so that the array inside is not copied.
        var lane = lanes.removeValue(forKey: name) ?? Lane()
        body(&lane)
        let place = lane.isHeld ? nil : lane.queue.head.map { DuePosition(time: time($0), position: $0) }
        // The old place is removed by its own value: `body` may have changed the head.
        if place != lane.place {
            if let old = lane.place { free.remove(at: index(of: old)) }
            if let place { free.insert(place, at: index(of: place)) }
            lane.place = place
        }
        if lane.isHeld { held.insert(name) } else { held.remove(name) }
        // A held lane stays even if it is empty: its hold has the fencing token.
        if lane.isHeld || !lane.queue.isEmpty { lanes[name] = lane }
    }

    private func index(of place: DuePosition) -> Int {
        var (low, high) = (0, free.count)
        while low < high {
            let middle = (low + high) / 2
            if free[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
