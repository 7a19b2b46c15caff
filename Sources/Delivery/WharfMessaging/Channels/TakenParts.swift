internal import WharfCore

/// How many parts of which message were taken.
///
/// Of the oldest it is forgotten, so that it does not grow for ever: of what has arrived whole, and
/// apart from that of what has not, which would be sent again in part.
struct TakenParts {
    private var unfinished: Counts
    private var finished: Counts

    init(limit: Int = 1_024) {
        unfinished = Counts(limit: limit)
        finished = Counts(limit: limit)
    }

    func count(of key: IdempotencyKey) -> Int { unfinished[key] ?? finished[key] ?? 0 }

    mutating func add(_ key: IdempotencyKey, of parts: Int) {
        let count = count(of: key) + 1
        if count < parts {
            unfinished[key] = count
        } else {
            unfinished[key] = nil
            finished[key] = count
        }
    }
}

/// Of the latest keys.
private struct Counts {
    private var counts: [IdempotencyKey: Int] = [:]
    private var order: [IdempotencyKey] = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    subscript(key: IdempotencyKey) -> Int? {
        get { counts[key] }
        set {
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
