internal import Synchronization
import WharfCore

/// The facts of stored responses that were looked at last, so that a hit parses nothing.
///
/// A table of fixed size with one place for each remainder of an id: a hit costs one comparison,
/// and no more is kept than the table holds. Parsing costs ten times what the rest of a hit does,
/// so the table has room for what an app has in use (400 KB, and about 1 KB for each head in it).
final class FactsMemo: Sendable {
    private static let size = 16_384
    private let policy: CachePolicy
    private let slots = Mutex([(id: StoredResponse.ID, facts: ResponseFacts)?](repeating: nil, count: size))

    init(_ policy: CachePolicy) { self.policy = policy }

    /// Takes the array and not its element: reading two numbers of it in place costs less than a
    /// copy of the whole head.
    func facts(_ variants: [StoredResponse], _ index: Int) -> ResponseFacts {
        let id = variants[index].id
        let slot = Self.slot(id)
        // An id keeps its body for ever, but its head changes with each 304, which another process
        // may have got.
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

    /// The variant that answers this request; see ``CachePolicy/select(_:_:_:)``.
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
