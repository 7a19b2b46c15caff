internal import WharfCore
internal import WharfStorage

/// The deliveries of a leased lane, handed out in order until one has to wait.
///
/// The journal found them due when the lane was leased. Those behind the first may have expired
/// since, so each is checked again.
struct LaneQueue {
    private var remaining: ArraySlice<PendingDelivery>
    private let limits: BatchLimits
    private var isFirst = true

    /// - Parameter limits: one entry for destinations that don't take batches.
    init(_ deliveries: [PendingDelivery], limits: BatchLimits = BatchLimits(entries: 1)) {
        remaining = deliveries[...]
        self.limits = limits
    }

    /// Returns the deliveries of the next call, in order; empty if the queue is empty.
    mutating func next(at now: WallTime) -> [PendingDelivery] {
        let batch = remaining.prefix(fitting(at: now))
        // A batch that is not full goes back to the journal and waits there for more entries.
        let isFull = batch.count == limits.entries || batch.count < remaining.count
        guard let first = batch.first, isFirst || isFull || first.entry.enqueuedAt + limits.wait <= now else {
            remaining = []
            return []
        }
        // The journal has let the first batch of a lease fill. A later one must be full, or have
        // waited as long.
        isFirst = false
        remaining = remaining.dropFirst(batch.count)
        return Array(batch)
    }

    /// - Returns: whether the queue is empty.
    mutating func settle(_ outcomes: [AttemptOutcome]) -> Bool {
        // The order of a lane is kept: an entry that has to wait blocks those behind it.
        if outcomes.contains(where: \.holdsLane) { remaining = [] }
        return remaining.isEmpty
    }

    private func fitting(at now: WallTime) -> Int {
        var (count, bytes) = (0, 0)
        for pending in remaining.prefix(limits.entries) {
            bytes += pending.entry.payload.count
            // An entry above the limit is sent alone. Otherwise it would block its lane forever.
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
