internal import WharfCore

/// The number of delivered parts of each recent message.
///
/// Memory is bounded: beyond `limit` messages the oldest count is dropped. Finished and unfinished
/// messages have separate limits. With a shared one, finished messages would push out the count of
/// an unfinished one, whose delivered parts would then be sent again.
struct DeliveredParts {
    private var unfinished: Counts
    private var finished: Counts

    init(limit: Int = 1_024) {
        unfinished = Counts(limit: limit)
        finished = Counts(limit: limit)
    }

    func count(of key: IdempotencyKey) -> Int { unfinished[key] ?? finished[key] ?? 0 }

    mutating func add(_ key: IdempotencyKey, of parts: Int) {
        // The parts of a message are delivered in order, so their number tells which ones are
        // missing.
        let count = count(of: key) + 1
        if count < parts {
            unfinished[key] = count
        } else {
            // The finished count stays: the commit of the settlement may fail, and the outbox then
            // delivers the message again.
            unfinished[key] = nil
            finished[key] = count
        }
    }
}

/// The counts of the keys that were added last, at most `limit` of them.
private struct Counts {
    // Invariant: `order` has each key of `counts` once, the oldest first, and at most `limit` keys.
    private var counts: [IdempotencyKey: Int] = [:]
    private var order: [IdempotencyKey] = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    subscript(key: IdempotencyKey) -> Int? {
        get { counts[key] }
        set {
            // A repeated key keeps its place. Appending it again would evict another key early, and
            // later remove the newer count.
            let old = counts[key]
            counts[key] = newValue
            if newValue == nil {
                if old != nil { order.removeAll { $0 == key } }
            } else if old == nil {
                order.append(key)
                if order.count > limit { counts[order.removeFirst()] = nil }
            }
        }
    }
}
