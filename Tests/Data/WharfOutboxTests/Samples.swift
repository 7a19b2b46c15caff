import WharfCore
import WharfFaults
import WharfOutbox
import WharfStorage
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
        var entry = OutboxEntry(
            id: ID(id), lane: lane, kind: Kind(kind), payload: Array((payload ?? id).utf8),
            targets: targets ?? (names.isEmpty ? ["api"] : names).map { .init($0) }, enqueuedAt: enqueuedAt)
        entry.deliveryClass = deliveryClass
        entry.dependencies = dependencies
        return entry
    }
}

extension PendingDelivery {
    static func sample(
        _ id: String = "a", bytes: Int = 1, attempts: Int = 0, countedSince: WallTime? = nil,
        lastFailure: DeliveryFailure? = nil, deliveryClass: DeliveryClass = .durable
    ) -> PendingDelivery {
        var delivery = PendingDelivery(
            entry: .sample(id, payload: String(repeating: "x", count: bytes), deliveryClass: deliveryClass),
            destination: "api", nextAttempt: .start)
        delivery.attempts = attempts
        delivery.firstAttempt = .distantPast
        delivery.countedSince = countedSince
        delivery.lastFailure = lastFailure
        return delivery
    }
}

extension DeliveryFailure {
    static let down = DeliveryFailure(.unavailable, message: "down", status: 503)
}

/// A generator of the largest numbers, so that each backoff has its upper bound.
struct Largest: RandomNumberGenerator, Sendable {
    mutating func next() -> UInt64 { .max }
}
