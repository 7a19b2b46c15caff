internal import WharfCore

extension LoadedPages {
    var items: [Model] { rest.map { Array(unique.items.prefix(max(0, $0))) } ?? unique.items }

    /// Collects the items again, after a change of the pages other than at the end.
    mutating func collect() {
        unique = UniqueItems()
        for slot in slots { unique.append(slot.kept.value.items) }
    }

    /// The list as a snapshot: as old as its oldest page, and fresh while all pages are.
    var snapshot: Snapshot<PagedItems<Model>> {
        let fetch: FetchStatus = isUnderWay(.refresh) ? .refreshing : isPaused ? .paused : .idle
        guard let first = slots.first?.kept else { return Snapshot(kept: nil, error: error, fetch: fetch) }
        let value = PagedItems(
            items: items, hasMore: hasMore, hasEarlier: !dropped.isEmpty,
            isLoadingMore: isUnderWay(.later) || isUnderWay(.earlier))
        let lifetimes = slots.compactMap(\.kept.staleAt)
        let kept = Snapshot<PagedItems<Model>>.Kept(
            value: value, source: first.source, asOf: slots.map(\.kept.asOf).min() ?? first.asOf,
            // One page without an end of freshness makes the whole list stale.
            staleAt: lifetimes.count == slots.count ? lifetimes.min() : nil, remote: first.remote)
        return Snapshot(kept: kept.pending(slots.contains(where: \.kept.isPending)), error: error, fetch: fetch)
    }

    func isFresh(at now: WallTime) -> Bool { !slots.isEmpty && slots.allSatisfy { $0.kept.isFresh(at: now) } }
}
