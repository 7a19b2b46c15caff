internal import Synchronization
import WharfCore

/// Memoises the facts of recently used stored responses, so that a hit parses no fields.
///
/// It is a table of fixed size with one slot for each remainder of an id, so a hit costs one
/// comparison. Parsing costs ten times the rest of a hit. So the table has room for an app's
/// working set: 400 KB, and about 1 KB for each head in it.
final class FactsMemo: Sendable {
    private static let size = 16_384
    private let policy: CachePolicy
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
        slots.withLock { $0[slot] = (id, facts) }
        return facts
    }

    /// Returns the variant that answers a request; see ``CachePolicy/select(_:_:_:)``.
    func select(_ request: RequestFacts, _ variants: [StoredResponse]) -> (index: Int, facts: ResponseFacts)? {
        policy.select(request, variants.count) { facts(variants, $0) }
    }

    func forget(_ id: StoredResponse.ID) {
        slots.withLock { slots in
            let slot = Self.slot(id)
            if slots[slot]?.id == id { slots[slot] = nil }
        }
    }

    private static func slot(_ id: StoredResponse.ID) -> Int { Int(truncatingIfNeeded: id) & (size - 1) }
}
