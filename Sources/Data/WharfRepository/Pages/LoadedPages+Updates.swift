internal import WharfCore

extension LoadedPages {
    /// Updates each page with its value in the cache below.
    ///
    /// A refresh that is not complete may have replaced a page there, which then belongs to another
    /// list. From such a page, only two things are taken: newer values of entities in the list, and
    /// that some of them are gone.
    ///
    /// - Parameter find: returns the value of a page; nil if there is no such page any more.
    /// - Returns: whether anything has changed.
    mutating func update(_ find: (PageToken?) -> Kept?) -> Bool {
        var isNews = false
        defer { if isNews { collect() } }
        var current: [Model.ID: Model] = [:]
        var gone: Set<Model.ID> = []
        var isPending = false
        for index in slots.indices {
            let old = slots[index].kept
            // The cache has no such page any more, so its items are not shown either.
            guard let known = find(slots[index].token) else {
                if old.value.items.isEmpty { continue }
                slots[index].kept = old.with(Page([], next: old.value.next))
                isNews = true
                continue
            }
            // Below is a page of the new list already. Its order must not mix with the old one.
            if isHeld(slots[index]) {
                for model in known.value.items { current[model.id] = model }
                let before = slots[index].below ?? (old.asOf, Set(old.value.items.map(\.id)))
                let ids = Set(known.value.items.map(\.id))
                // Within one answer, no entity moves to another page. So an entity that is missing
                // is gone.
                if before.asOf == known.asOf { gone.formUnion(before.ids.subtracting(ids)) }
                slots[index].below = (known.asOf, ids)
                isPending = isPending || known.isPending
            } else if known.revision != old.revision || known.asOf != old.asOf || known.staleAt != old.staleAt {
                (slots[index].kept, slots[index].below) = (known, nil)
                isNews = true
            }
        }
        guard !current.isEmpty || !gone.isEmpty else { return isNews }
        isNews = true
        for index in slots.indices where isHeld(slots[index]) {
            let old = slots[index].kept
            let items = old.value.items.filter { !gone.contains($0.id) }.map { current[$0.id] ?? $0 }
            slots[index].kept = old.with(Page(items, next: old.value.next)).pending(isPending).revised(old.revision)
        }
        return true
    }

    private func isHeld(_ slot: Slot) -> Bool { slot.isReplaced || isUnderWay(.refresh) }
}
