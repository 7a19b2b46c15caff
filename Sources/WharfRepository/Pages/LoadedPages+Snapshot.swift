internal import WharfCore

extension LoadedPages {
    /// Each entity once, at its first place.
    ///
    /// - Complexity: one look at each item.
    var items: [Model] { Self.items(of: slots, limit: rest) }

    static func items(of slots: [Slot], limit: Int?) -> [Model] {
        var seen: Set<Model.ID> = []
        var items: [Model] = []
        for slot in slots {
            for model in slot.kept.value.items where seen.insert(model.id).inserted { items.append(model) }
        }
        return limit.map { Array(items.prefix(max(0, $0))) } ?? items
    }

    /// As old as its oldest page, and fresh as long as all of them are.
    var snapshot: Snapshot<PagedItems<Model>> {
        let fetch: FetchStatus = isUnderWay(.refresh) ? .refreshing : isPaused ? .paused : .idle
        guard let first = slots.first?.kept else { return Snapshot(kept: nil, error: error, fetch: fetch) }
        let value = PagedItems(
            items: items, hasMore: hasMore, hasEarlier: !dropped.isEmpty,
            isLoadingMore: isUnderWay(.later) || isUnderWay(.earlier))
        let lifetimes = slots.compactMap(\.kept.staleAt)
        let kept = Snapshot<PagedItems<Model>>.Kept(
            value: value, source: first.source, asOf: slots.map(\.kept.asOf).min() ?? first.asOf,
            staleAt: lifetimes.count == slots.count ? lifetimes.min() : nil, remote: first.remote)
        return Snapshot(kept: kept, error: error, fetch: fetch)
    }

    func isFresh(at now: WallTime) -> Bool { !slots.isEmpty && slots.allSatisfy { $0.kept.isFresh(at: now) } }
}
