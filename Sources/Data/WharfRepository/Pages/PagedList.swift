internal import Synchronization
public import WharfCore

/// A list that is loaded page by page.
///
/// ```swift
/// let notes = repository.pages(of: EntityQuery().sorted(by: Note.due), size: 50)
/// for await snapshot in notes.observe() {
///     show(snapshot.value?.items, snapshot.kept?.asOf, snapshot.error)
/// }
/// // Elsewhere, when a row comes into view:
/// await notes.loadMore(near: note.id)
/// ```
///
/// - The order is that of the pages. If the service's list moves between two pages, an entity may
///   come twice. It is shown once, at its first place.
/// - A refresh reads as many pages as there are, from the first on. When the last of them is there,
///   it replaces the list at once, so the list never gets shorter in between. If a page fails, the
///   list stays as it was, with the error. A list that has let pages go at its front begins with
///   the first page again.
/// - If a page fails, the loaded pages stay, with the error, and the page can be asked for again.
///   An answer such as 401 or 404 to the first page is not masked: the list is empty then.
/// - If a refresh has overtaken an answer, the answer is dropped, and the page behind the new list
///   is asked for.
/// - If a service gives pages without an end, the list ends with
///   ``WharfCore/ReadFailure/Code/endlessPages``.
///
/// With a store below, pages are kept as they were read, and share their entities with reads by id.
public final class PagedList<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    typealias Reader = ReadThrough<PageQuery<Model>, Page<Model>>

    struct State {
        // Invariants while the lock is free: `ongoing` is empty without an observer; each page in
        // `loaded` is watched; after the end there is no observer.
        var loaded: LoadedPages<Model>
        /// The snapshot that the observers received last.
        var shown = Snapshot<PagedItems<Model>>(kept: nil)
        var observers: [UInt64: AsyncStream<Snapshot<PagedItems<Model>>>.Continuation] = [:]
        var watches: [PageToken?: UInt64] = [:]
        var lastObserver: UInt64 = 0
        var isClosed = false
        /// The tasks that run for the observers.
        var ongoing: [Task<Void, Never>] = []
    }

    let reader: Reader
    let query: EntityQuery<Model>
    let size: Int
    let policy: ReadPolicy
    /// Whether the store is the only source. It tells of its changes itself.
    let isLocal: Bool
    let state: Mutex<State>
    let signals: AsyncStream<Snapshot<Page<Model>>>
    let signal: Reader.SnapshotContinuation
    let background = BackgroundTasks()
    let flights: SingleFlight<Load, Void>
    /// The repository, which lives as long as its lists.
    private let owner: any AnyObject & Sendable

    /// One load. A refresh that began before an invalidation is not shared by callers after it.
    struct Load: Hashable, Sendable {
        let kind: LoadedPages<Model>.LoadKind
        let generation: Int
    }

    init(_ question: PagedListKey<Model>, _ reader: Reader, of owner: any AnyObject & Sendable, isLocal: Bool) {
        self.reader = reader
        self.owner = owner
        flights = SingleFlight(executor: reader.executor)
        var query = question.query
        let limit = query.rows.limit
        // The limit is that of the whole list. In a page's query it would cut the page.
        query.rows.limit = nil
        self.query = query
        self.size = question.size
        self.policy = question.policy
        self.isLocal = isLocal
        self.state = Mutex(State(loaded: LoadedPages(cap: question.cap, limit: limit)))
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        background.cancel()
        signal.finish()
        for (token, watch) in state.withLock({ $0.watches }) { reader.unwatch(key(token), watch) }
    }

    /// The list as it is known now.
    public var snapshot: Snapshot<PagedItems<Model>> { state.withLock { $0.shown } }

    /// Observes the list until the reader leaves or the repository closes.
    ///
    /// The list comes at once if it is known, and again with each change. The sequence does not
    /// fail: an error is part of a snapshot. A slow reader gets the newest snapshot.
    ///
    /// The first observer makes the list begin, by the policy that it was made with.
    public func observe() -> SnapshotSequence<PagedItems<Model>> {
        SnapshotSequence { [self] in
            let (stream, continuation) = AsyncStream.makeStream(
                of: Snapshot<PagedItems<Model>>.self, bufferingPolicy: .bufferingNewest(1))
            guard let (observer, isFirst) = add(continuation) else {
                continuation.finish()
                return stream
            }
            // It holds the list as long as an observer reads. The stream ends by `close()` or by
            // its reader.
            continuation.onTermination = { [self] _ in leave(observer) }
            if isFirst { start() }
            return stream
        }
    }

    /// Loads the page behind the last one, or the first page if none is loaded.
    ///
    /// Concurrent calls share one request. If there is no further page, nothing happens. The call
    /// returns when the page is there or has failed: ``snapshot`` tells which.
    public func loadMore() async {
        guard state.withLock({ !$0.loaded.slots.isEmpty }) else { return await refresh() }
        await run(.later)
    }

    /// Loads the page before the first, if such pages were let go of.
    public func loadEarlier() async { await run(.earlier) }

    /// Loads the next page at an end if an item near that end comes into view.
    ///
    /// - Parameter distance: the number of items from the end that count as near; nil for half a
    ///   page.
    /// - Complexity: a look at that many items if nothing has to be loaded, so it can be called for
    ///   each item that is shown.
    public func loadMore(near id: Model.ID, within distance: Int? = nil) async {
        let distance = distance ?? max(1, size / 2)
        guard let shown = snapshot.value else { return }
        if shown.hasMore, shown.items.suffix(distance).contains(where: { $0.id == id }) { await run(.later) }
        if shown.hasEarlier, shown.items.prefix(distance).contains(where: { $0.id == id }) { await run(.earlier) }
    }

    /// Reads the loaded pages again, from the first on. Concurrent calls share one refresh.
    public func refresh() async {
        if reader.isOffline, policy.networkMode != nil {
            if policy.fallsBack, state.withLock({ $0.loaded.slots.isEmpty }), watch(nil) {
                let stored = await reader.ask(key(nil), .storedOnly).merged
                change(silently: true) { $0.begin(stored) }
            }
            change { $0.pause(.offline) }
            // The network may have come back before the pause was noted. Then no event would end
            // the pause.
            guard !reader.isOffline else { return }
        }
        await run(.refresh)
    }
}
