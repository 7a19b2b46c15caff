internal import Synchronization
public import WharfCore

/// A list that comes by pages, as far as it was asked for.
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
/// - Order is that of the pages. An entity that comes twice, since the service's list has moved
///   between two pages, is shown once, at its first place.
/// - A refresh reads as many pages as there are, from the first on, and replaces the list at once
///   when the last of them is there. When one fails, the list stays as it was, with the error. So
///   the list never gets shorter in between. A list that has let pages go at its front begins with
///   the first page again.
/// - A page that fails leaves all there is, with the error, and can be asked for again. An answer
///   such as 401 or 404 to the first page is not masked: the list is empty then.
/// - An answer that a refresh has overtaken is dropped, and the page asked for behind the new list.
/// - A service that gives pages without an end ends the list, with
///   ``WharfCore/ReadFailure/Code/endlessPages``.
///
/// With a store below, pages are kept as they were read, and their entities are those of single
/// reads.
public final class PagedList<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    typealias Reader = ReadThrough<PageQuery<Model>, Page<Model>>

    struct State {
        var loaded: LoadedPages<Model>
        /// What the observers were told last.
        var shown = Snapshot<PagedItems<Model>>(kept: nil)
        var observers: [UInt64: AsyncStream<Snapshot<PagedItems<Model>>>.Continuation] = [:]
        var watches: [PageToken?: UInt64] = [:]
        var lastObserver: UInt64 = 0
        var isClosed = false
        /// What goes on for the observers.
        var ongoing: [Task<Void, Never>] = []
    }

    let reader: Reader
    let query: EntityQuery<Model>
    let size: Int
    let policy: ReadPolicy
    /// There is nobody to ask but the store, which says itself when it has changed.
    let isLocal: Bool
    let state: Mutex<State>
    let signals: AsyncStream<Snapshot<Page<Model>>>
    let signal: Reader.Signal
    let background = BackgroundTasks()
    let flights: SingleFlight<Load, Void>
    /// The repository, which lives as long as its lists.
    private let owner: any AnyObject & Sendable

    /// One load. A refresh that began before an invalidation is not shared by callers after it.
    struct Load: Hashable, Sendable {
        let purpose: LoadedPages<Model>.Purpose
        let generation: Int
    }

    init(_ question: PagedListQuestion<Model>, _ reader: Reader, of owner: any AnyObject & Sendable, isLocal: Bool) {
        self.reader = reader
        self.owner = owner
        flights = SingleFlight(executor: reader.executor)
        var query = question.query
        let limit = query.rows.limit
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

    /// What is known now.
    public var snapshot: Snapshot<PagedItems<Model>> { state.withLock { $0.shown } }

    /// The list now and whenever it is another, until the reader leaves or the repository closes.
    /// It does not fail: an error is part of a snapshot. A slow reader gets the newest.
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
            continuation.onTermination = { [self] _ in leave(observer) }
            if isFirst { start() }
            return stream
        }
    }

    /// Loads the page behind the last. Calls at the same time share one request; where there is no
    /// more it does nothing.
    ///
    /// Returns when the page is there, or why it is not: ``snapshot`` tells which.
    public func loadMore() async {
        guard state.withLock({ !$0.loaded.slots.isEmpty }) else { return await refresh() }
        await run(.later)
    }

    /// Loads the page before the first, where such were let go of.
    public func loadEarlier() async { await run(.earlier) }

    /// Loads what lies beyond an item that has come into view, where that is near an end of what is
    /// loaded.
    ///
    /// - Parameter distance: how many items from the end is near; nil for half a page.
    /// - Complexity: a look at so many items where nothing has to be loaded, so it can be called
    ///   for each item that is shown.
    public func loadMore(near id: Model.ID, within distance: Int? = nil) async {
        let distance = distance ?? max(1, size / 2)
        guard let shown = snapshot.value else { return }
        if shown.hasMore, shown.items.suffix(distance).contains(where: { $0.id == id }) { await run(.later) }
        if shown.hasEarlier, shown.items.prefix(distance).contains(where: { $0.id == id }) { await run(.earlier) }
    }

    /// Reads again what is loaded, from the first page on. Calls at the same time share one.
    public func refresh() async {
        if reader.isOffline, policy.networkMode != nil {
            if policy.fallsBack, state.withLock({ $0.loaded.slots.isEmpty }), watch(nil) {
                let stored = await reader.ask(key(nil), .storedOnly).merged
                change(silently: true) { $0.begin(stored) }
            }
            change { $0.pause(.offline) }
            // It may have come back before anybody could see that this one waits.
            guard !reader.isOffline else { return }
        }
        await run(.refresh)
    }
}
