/// Loads what a list needs while it is shown: more rows, models of rows ahead, everything anew.
///
/// ```swift
/// let loader = ListLoader<Film.ID>(
///     loadMore: { await list.loadMore(near: $0) },
///     prefetch: { await repository.prefetch($0) },
///     refresh: { await list.refresh() })
///
/// ListTableDataSource(table, list: films(snapshot), cells: cells, loader: loader) { … }    // UIKit
/// ListRows(films(snapshot), loader: loader) { … } row: { … }                               // SwiftUI
/// ```
///
/// - One call of each closure is in flight at a time.
/// - Notices load nothing. Otherwise the notice of a failed load would load again when it appears,
///   and so on.
/// - Closures report failures in their own way, such as the error of a snapshot.
@MainActor
public final class ListLoader<ID: Hashable & Sendable> {
    public typealias Load = @Sendable (ID) async -> Void
    public typealias Prefetch = @Sendable ([ID]) async -> Void
    public typealias Refresh = @Sendable () async -> Void

    private let loadMore: Load?
    private let prefetch: Prefetch?
    private let runRefresh: Refresh?
    private let distance: Int

    /// The row that appeared last, while the load in flight does not know of it.
    private var nearest: ID?
    private var isLoadingMore = false
    /// Each id is in at most one of the two.
    private var waiting: [ID] = []
    private var inFlight: [ID] = []
    private var refreshing: Task<Void, Never>?
    private var lastPosition: ListPosition?

    /// Makes a loader of what is given.
    ///
    /// - Parameters:
    ///   - loadMore: gets the row that appeared last, and decides whether it is near an end of the
    ///     list.
    ///   - prefetch: gets rows that are likely to appear. It leaves alone models that are there.
    ///   - refresh: loads the list anew when the user pulls it down. Without it the list can't be
    ///     pulled.
    ///   - distance: how many rows are prefetched beyond the one that appeared. `UITableView` and
    ///     `UICollectionView` choose rows themselves.
    public init(
        loadMore: Load? = nil, prefetch: Prefetch? = nil, refresh: Refresh? = nil, distance: Int = 12
    ) {
        self.loadMore = loadMore
        self.prefetch = prefetch
        self.runRefresh = refresh
        self.distance = distance
    }

    public var prefetches: Bool { prefetch != nil }
    public var canRefresh: Bool { runRefresh != nil }

    // MARK: Rows that appear

    /// Loads more near a row that has come into view, if it is near an end of the list.
    ///
    /// Rows that appear during a load wait: the last of them is near the end that the load has
    /// made.
    public func rowAppeared<Element: Identifiable<ID>>(at position: ListPosition, in list: some ListSource<Element>) {
        guard loadMore != nil, let element = list.element(at: position) else { return }
        nearest = element.id
        guard !isLoadingMore else { return }
        isLoadingMore = true
        Task { await loadNearest() }
    }

    private func loadNearest() async {
        while let id = nearest {
            nearest = nil
            await loadMore?(id)
        }
        // No suspension since `nearest` was read: a row that appears from now on starts a load.
        isLoadingMore = false
    }

    // MARK: Rows ahead

    /// Prefetches rows beyond one that has come into view, in the direction of the last movement.
    public func prefetchRows<Element: Identifiable<ID>>(
        beyond position: ListPosition, in list: some ListSource<Element>
    ) {
        let isBackwards = lastPosition.map { position < $0 } ?? false
        lastPosition = position
        prefetchRows(at: list.positions(beyond: position, count: distance, isBackwards: isBackwards), in: list)
    }

    /// Prefetches rows, those that wait or are in flight aside.
    ///
    /// Rows that are named during a prefetch wait, and are prefetched together after it.
    public func prefetchRows<Element: Identifiable<ID>>(
        at positions: [ListPosition], in list: some ListSource<Element>
    ) {
        guard prefetch != nil else { return }
        for id in positions.compactMap({ list.element(at: $0)?.id })
        where !inFlight.contains(id) && !waiting.contains(id) {
            waiting.append(id)
        }
        guard inFlight.isEmpty, !waiting.isEmpty else { return }
        takeWaiting()
        Task { await prefetchTaken() }
    }

    /// Drops rows that wait for a prefetch. A prefetch in flight goes on.
    public func cancelPrefetching<Element: Identifiable<ID>>(
        at positions: [ListPosition], in list: some ListSource<Element>
    ) {
        let dropped = Set(positions.compactMap { list.element(at: $0)?.id })
        waiting.removeAll(where: dropped.contains)
    }

    private func takeWaiting() {
        inFlight = waiting
        waiting = []
    }

    private func prefetchTaken() async {
        while !inFlight.isEmpty {
            await prefetch?(inFlight)
            takeWaiting()
        }
    }

    // MARK: Refreshing

    /// Loads the list anew. Calls at the same time share one refresh.
    ///
    /// A caller that is cancelled does not cancel the refresh: SwiftUI cancels the task of
    /// `refreshable` when the list is drawn anew in the meantime.
    public func refresh() async {
        guard let runRefresh else { return }
        if let refreshing { return await refreshing.value }
        let task = Task {
            await runRefresh()
            refreshing = nil
        }
        refreshing = task
        await task.value
    }
}
