internal import WharfCore

/// The deliveries of a leased lane, handed out in order until one has to wait.
///
/// The journal found them due when the lane was leased. Those behind the first may have expired
/// since, so each is checked again.
struct LaneTurn {
    private var rest: ArraySlice<PendingDelivery>
    private let limits: BatchLimits
    private var isFirst = true

    /// - Parameter limits: one entry for destinations that don't take batches.
    init(_ deliveries: [PendingDelivery], limits: BatchLimits = BatchLimits(entries: 1)) {
        rest = deliveries[...]
        self.limits = limits
    }

    /// Returns the deliveries of the next call, in order; empty if the turn is over.
    mutating func next(at now: WallTime) -> [PendingDelivery] {
        let batch = rest.prefix(fitting(at: now))
        // A batch that is not full goes back to the journal and waits there for more entries.
        let isFull = batch.count == limits.entries || batch.count < rest.count
        guard let first = batch.first, isFirst || isFull || first.entry.enqueuedAt + limits.wait <= now else {
            rest = []
            return []
        }
        isFirst = false
        rest = rest.dropFirst(batch.count)
        return Array(batch)
    }

    /// - Returns: whether the turn is over.
    mutating func settle(_ outcomes: [AttemptOutcome]) -> Bool {
        if outcomes.contains(where: \.holdsLane) { rest = [] }
        return rest.isEmpty
    }

    private func fitting(at now: WallTime) -> Int {
        var (count, bytes) = (0, 0)
        for pending in rest.prefix(limits.entries) {
            bytes += pending.entry.payload.count
            guard count == 0 || bytes <= limits.bytes else { break }
            // The journal drops an expired entry at the next lease. Even the first entry is
            // checked, as it may have expired while the lane waited for a permit.
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
