internal import Synchronization
import WharfCore
import WharfStorage

/// Memoises the facts of recently used stored responses, so that a hit parses no fields.
///
/// It is a table of fixed size with one slot for each remainder of an id, so a hit costs one
/// comparison. Parsing costs ten times the rest of a hit. So the table has room for an app's
/// working set: 400 KB, and about 1 KB for each head in it.
final class FactsMemo: Sendable {
    private static let size = 16_384
    private let policy: CachePolicy
    // Each slot has the facts of at most one id. A collision costs a parse and no error, because
    // the id is compared.
    private let slots = Mutex([(id: StoredResponse.ID, facts: ResponseFacts)?](repeating: nil, count: size))

    init(_ policy: CachePolicy) { self.policy = policy }

    /// Returns the facts of a variant. It takes the array and not its element: reading two numbers
    /// in place costs less than a copy of the whole head.
    func facts(_ variants: [StoredResponse], _ index: Int) -> ResponseFacts {
        let id = variants[index].id
        let slot = Self.slot(id)
        // The body of an id never changes, but a 304 changes its head. Another process may have
        // received the 304.
        if let known = slots.withLock({ $0[slot] }), known.id == id,
            known.facts.respondedAt == variants[index].head.respondedAt,
            known.facts.requestedAt == variants[index].head.requestedAt
        {
            return known.facts
        }
        let facts = policy.facts(variants[index].head)
        // Two readers may parse one head at once, and both results are equal. The lock is not held
        // meanwhile.
        slots.withLock { $0[slot] = (id, facts) }
        return facts
    }

    /// Returns the variant that answers a request; see ``CachePolicy/select(_:_:_:)``.
    func select(_ request: RequestFacts, _ variants: [StoredResponse]) -> (index: Int, facts: ResponseFacts)? {
        policy.select(request, variants.count) { facts(variants, $0) }
    }

    /// Returns a stored part that lacks bytes of this request; see ``ResponseFacts/isPartial``.
    func part(_ request: RequestFacts, _ variants: [StoredResponse]) -> (index: Int, facts: ResponseFacts)? {
        for index in variants.indices {
            let facts = facts(variants, index)
            if facts.isPartial, facts.matches(request) { return (index, facts) }
        }
        return nil
    }

    func forget(_ id: StoredResponse.ID) {
        slots.withLock { slots in
            let slot = Self.slot(id)
            // Another id may have taken the slot.
            if slots[slot]?.id == id { slots[slot] = nil }
        }
    }

    private static func slot(_ id: StoredResponse.ID) -> Int { Int(truncatingIfNeeded: id) & (size - 1) }
}
