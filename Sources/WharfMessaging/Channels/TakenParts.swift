internal import WharfCore

/// How many parts of which message were taken. Of the oldest it is forgotten, so that it does not grow for ever.
struct TakenParts {
    private var counts: [IdempotencyKey: Int] = [:]
    private var order: [IdempotencyKey] = []
    private var oldest = 0
    private let limit: Int

    init(limit: Int = 1_024) { self.limit = limit }

    func count(of key: IdempotencyKey) -> Int { counts[key] ?? 0 }

    mutating func add(_ key: IdempotencyKey) {
        if let count = counts[key] {
            counts[key] = count + 1
            return
        }
        counts[key] = 1
        if order.count < limit {
            order.append(key)
        } else {
            counts[order[oldest]] = nil
            order[oldest] = key
            oldest = (oldest + 1) % limit
        }
    }
}
