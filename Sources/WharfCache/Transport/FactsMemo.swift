internal import Synchronization
import WharfCore

/// The facts of stored responses that were looked at last, so that a hit parses nothing.
///
/// A table of fixed size with one place for each remainder of an id: a hit costs one comparison, and no more is kept than the table
/// holds.
final class FactsMemo: Sendable {
    private static let size = 256
    private let policy: CachePolicy
    private let slots = Mutex([(id: StoredResponse.ID, facts: ResponseFacts)?](repeating: nil, count: size))

    init(_ policy: CachePolicy) { self.policy = policy }

    @Sendable func facts(_ variant: StoredResponse) -> ResponseFacts {
        let slot = Self.slot(variant.id)
        // An id keeps its body for ever, but its head changes with each 304, which another process may have got.
        if let known = slots.withLock({ $0[slot] }), known.id == variant.id,
            known.facts.head.respondedAt == variant.head.respondedAt,
            known.facts.head.requestedAt == variant.head.requestedAt
        {
            return known.facts
        }
        let facts = policy.facts(variant.head)
        slots.withLock { $0[slot] = (variant.id, facts) }
        return facts
    }

    func forget(_ id: StoredResponse.ID) {
        slots.withLock { slots in
            let slot = Self.slot(id)
            if slots[slot]?.id == id { slots[slot] = nil }
        }
    }

    private static func slot(_ id: StoredResponse.ID) -> Int { Int(truncatingIfNeeded: id) & (size - 1) }
}
