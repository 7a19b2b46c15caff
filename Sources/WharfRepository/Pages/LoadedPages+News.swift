internal import WharfCore

extension LoadedPages {
    /// Takes in what is known of each page now.
    ///
    /// Of a page that a refresh may have replaced below, only the entities that are in the list are taken: the page itself is part of
    /// another list by now.
    ///
    /// - Parameter find: nil where there is no such page any more.
    /// - Returns: whether anything is another.
    mutating func update(_ find: (PageToken?) -> Kept?) -> Bool {
        var isNews = false
        defer { if isNews { collect() } }
        var current: [Model.ID: Model] = [:]
        for index in slots.indices {
            let old = slots[index].kept
            guard let known = find(slots[index].token) else {
                if old.value.items.isEmpty { continue }
                slots[index].kept = old.with(Page([], next: old.value.next))
                isNews = true
                continue
            }
            if isHeld(slots[index]) {
                for model in known.value.items { current[model.id] = model }
            } else if known.stamp != old.stamp || known.asOf != old.asOf || known.staleAt != old.staleAt {
                slots[index].kept = known
                isNews = true
            }
        }
        guard !current.isEmpty else { return isNews }
        isNews = true
        for index in slots.indices where isHeld(slots[index]) {
            let old = slots[index].kept
            let items = old.value.items.map { current[$0.id] ?? $0 }
            slots[index].kept = old.with(Page(items, next: old.value.next)).stamped(old.stamp)
        }
        return true
    }

    private func isHeld(_ slot: Slot) -> Bool { slot.isReplaced || isUnderWay(.refresh) }
}
