internal import WharfCore

/// What somebody who has leased a lane does with it: its deliveries in order, until one has to
/// wait.
///
/// That they are due is the journal's word, of when the lane was leased; time has gone on for those
/// behind the first.
struct LaneTurn {
    private var rest: ArraySlice<PendingDelivery>
    private let limits: BatchLimits
    private var isFirst = true

    /// - Parameter limits: one entry at a time for destinations that don't take batches.
    init(_ deliveries: [PendingDelivery], limits: BatchLimits = BatchLimits(entries: 1)) {
        rest = deliveries[...]
        self.limits = limits
    }

    /// The next for one call of the destination, in order; empty when nothing is left to be done
    /// now.
    mutating func next(at now: WallTime) -> [PendingDelivery] {
        let batch = rest.prefix(fitting(at: now))
        // A batch that more would go into waits for it, in the journal.
        let isFull = batch.count == limits.entries || batch.count < rest.count
        guard let first = batch.first, isFirst || isFull || first.entry.enqueuedAt + limits.wait <= now else {
            rest = []
            return []
        }
        isFirst = false
        rest = rest.dropFirst(batch.count)
        return Array(batch)
    }

    /// - Returns: whether the turn is over by it.
    mutating func settle(_ consequences: [Consequence]) -> Bool {
        if consequences.contains(where: \.holdsLane) { rest = [] }
        return rest.isEmpty
    }

    private func fitting(at now: WallTime) -> Int {
        var (count, bytes) = (0, 0)
        for pending in rest.prefix(limits.entries) {
            bytes += pending.entry.payload.count
            guard count == 0 || bytes <= limits.bytes else { break }
            // The journal drops it at the next lease; also the first, which may have waited for its
            // turn.
            guard !pending.hasExpired(at: now) else { break }
            count += 1
        }
        return count
    }
}

extension PendingDelivery {
    fileprivate func hasExpired(at now: WallTime) -> Bool {
        guard case .expiring(let lifetime, _) = entry.deliveryClass else { return false }
        return entry.enqueuedAt + lifetime <= now
    }
}
