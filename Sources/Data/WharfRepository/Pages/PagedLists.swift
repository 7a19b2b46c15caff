internal import Synchronization
internal import WharfCore

/// The identity of a paged list: equal questions share one list.
struct PagedListKey<Model>: Hashable, Sendable {
    let query: EntityQuery<Model>
    let size: Int
    let cap: Int?
    let policy: ReadPolicy
}

/// The paged lists of a repository.
///
/// Equal questions get the same list, as long as the list is alive.
final class PagedLists<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    private struct Entry {
        weak var list: PagedList<Model>?
    }

    let reader: PagedList<Model>.Reader
    private let isLocal: Bool
    private let entries = Mutex<[PagedListKey<Model>: Entry]>([:])

    init(_ reader: PagedList<Model>.Reader, isLocal: Bool = false) {
        self.reader = reader
        self.isLocal = isLocal
    }

    /// - Parameter owner: the repository.
    func list(_ question: PagedListKey<Model>, of owner: any AnyObject & Sendable) -> PagedList<Model> {
        entries.withLock { entries in
            // The look-up and the insertion are one step. Two callers would otherwise get two lists
            // for one question.
            if let list = entries[question]?.list { return list }
            // Entries of released lists go at the next insertion, so that they do not pile up.
            entries = entries.filter { $0.value.list != nil }
            let list = PagedList(question, reader, of: owner, isLocal: isLocal)
            entries[question] = Entry(list: list)
            return list
        }
    }

    /// Asks the network again for observed lists that are not fresh, or wait for it.
    func refreshStale() async {
        let now = reader.clock.now()
        await refresh { list in
            list.state.withLock { $0.loaded.isPaused || !$0.loaded.isFresh(at: now) }
        }
    }

    /// Makes invalid pages stale, and refreshes the observed lists that have one.
    ///
    /// Only pages that lie in no store are made stale here.
    func refreshInvalid(_ isInvalid: @escaping @Sendable (PageQuery<Model>, [Model]) -> Bool) async {
        reader.makeStale { isInvalid($0, $1.value.items) }
        await refresh { list in
            let slots = list.state.withLock { $0.loaded.slots }
            return slots.contains { isInvalid(list.key($0.token), $0.kept.value.items) }
        }
    }

    /// Makes all pages stale that lie in no store.
    ///
    /// Call it after a change that may have moved any model.
    func makeStale() { reader.makeStale { _, _ in true } }

    /// Refreshes observed lists later, as any page may have a model that was added.
    func refreshLater() {
        reader.refreshLater { [weak self] in await self?.refresh { _ in true } }
    }

    /// The observed pages, and the models on them.
    var observed: [(pages: [PageQuery<Model>], items: [Model])] {
        entries.withLock { $0.values.compactMap(\.list) }.compactMap(\.looked)
    }

    func close() {
        reader.close()
        for entry in entries.withLock({ $0.values.map(\.list) }) { entry?.close() }
    }

    private func refresh(where isDue: (PagedList<Model>) -> Bool) async {
        // Filtered outside of the lock: `isDue` takes the lock of each list.
        let due = entries.withLock { $0.values.compactMap(\.list) }.filter { $0.isObserved && isDue($0) }
        await withTaskGroup { group in
            for list in due { group.addTask { await list.refresh() } }
        }
    }
}
