internal import WharfCore
internal import WharfPrimitives

/// How what is held in memory stays the same as what a store has, which others change as well.
struct Coherence<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Subscribed before anything is read.
    let subscriptions: [EntityChanges]
    /// Which of the keys in memory these changes touch.
    let touched: @Sendable (Set<EntityKey>, Shelf<Key, Value>) -> [Key]
    /// Looks into the store, and nowhere else.
    let reread: @Sendable (Key) async -> Snapshot<Value>
    /// What answers without the shelf, where there is such.
    var hot: (shelf: HotShelf, text: @Sendable (Key) -> UTF8Key)?
}

extension Shelf {
    /// Takes in what the store says has changed. Observed keys are noted, to be read again.
    mutating func catchUp(_ coherence: Coherence<Key, Value>) {
        for subscription in coherence.subscriptions {
            subscription.takePending { pending in
                switch pending {
                case .keys(let changed): unread.formUnion(self.changed(coherence.touched(changed, self)))
                case .all: unread.formUnion(changed(Array(entries.keys)))
                }
            }
        }
    }

    mutating func takeUnread() -> Set<Key> {
        defer { unread = [] }
        return unread
    }
}
