import WharfCore
import WharfFaults
import WharfOutbox
import WharfStores

extension WallTime {
    static let start = WallTime(secondsSince1970: 1_000_000_000)
}

extension OutboxEntry {
    /// An entry that was enqueued at the start of the test's clock.
    static func sample(
        _ id: String, lane: String = "lane", kind: String = "note", payload: String? = nil, to names: String...,
        deliveryClass: DeliveryClass = .durable, targets: [Target]? = nil, dependencies: Set<ID> = [],
        enqueuedAt: WallTime = .start
    ) -> OutboxEntry {
        OutboxEntry(
            id: ID(id), lane: lane, kind: Kind(kind), payload: Array((payload ?? id).utf8),
            deliveryClass: deliveryClass,
            targets: targets ?? (names.isEmpty ? ["api"] : names).map { .init($0) }, dependencies: dependencies,
            enqueuedAt: enqueuedAt)
    }
}

extension PendingDelivery {
    static func sample(
        _ id: String = "a", bytes: Int = 1, attempts: Int = 0, countedSince: WallTime? = nil,
        lastFailure: DeliveryFailure? = nil, deliveryClass: DeliveryClass = .durable
    ) -> PendingDelivery {
        PendingDelivery(
            entry: .sample(id, payload: String(repeating: "x", count: bytes), deliveryClass: deliveryClass),
            destination: "api", attempts: attempts, firstAttempt: .distantPast, countedSince: countedSince,
            nextAttempt: .start,
            lastFailure: lastFailure)
    }
}

extension DeliveryFailure {
    static let down = DeliveryFailure(.unavailable, message: "down", status: 503)
}

/// A generator of the largest numbers, so that each backoff has its upper bound.
struct Largest: RandomNumberGenerator, Sendable {
    mutating func next() -> UInt64 { .max }
}
