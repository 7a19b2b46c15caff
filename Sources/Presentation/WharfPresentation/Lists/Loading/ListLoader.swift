/// A loader for a visible list: more rows, models of rows ahead, and refreshes.
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
/// - Each closure has at most one call in flight.
/// - Notices load nothing. Otherwise the notice of a failed load would start another load when it
///   appears, and so on.
/// - Closures report failures in their own way, such as the error of a snapshot.
@MainActor
public final class ListLoader<ID: Hashable & Sendable> {
    /// Loads more rows near the row with this id.
    public typealias Load = @Sendable (ID) async -> Void
    /// Loads the models of the rows with these ids.
    public typealias Prefetch = @Sendable ([ID]) async -> Void
    /// Loads the list again.
    public typealias Refresh = @Sendable () async -> Void

    private let loadMore: Load?
    private let prefetch: Prefetch?
    private let runRefresh: Refresh?
    // Invariants on the main actor of the fields below:
    // - `isLoadingMore` is true while a task runs `loadNearest`, so two loads never overlap.
    // - A task runs `prefetchTaken` while `inFlight` has an id.
    // - `refreshing` is set while a refresh runs.
    private let distance: Int

    /// The newest appeared row that no load has been started for.
    private var nearest: ID?
    private var isLoadingMore = false
    /// The ids to prefetch after the prefetch in flight. No id is also in `inFlight`.
    private var waiting: [ID] = []
    private var inFlight: [ID] = []
    private var refreshing: Task<Void, Never>?
    private var lastPosition: ListPosition?

    /// Creates a loader with the given closures. An omitted closure disables its feature.
    ///
    /// - Parameters:
    ///   - loadMore: gets the row that appeared last, and decides whether it is near an end of the
    ///     list.
    ///   - prefetch: gets rows that are likely to appear. It should skip models that are loaded
    ///     already.
    ///   - refresh: loads the list again when the user pulls it down. Without it the list has no
    ///     pull to refresh.
    ///   - distance: the number of rows to prefetch beyond an appeared row. `UITableView` and
    ///     `UICollectionView` choose the rows themselves.
    public init(
        loadMore: Load? = nil, prefetch: Prefetch? = nil, refresh: Refresh? = nil, distance: Int = 12
    ) {
        self.loadMore = loadMore
        self.prefetch = prefetch
        self.runRefresh = refresh
        self.distance = distance
    }

    /// Whether the loader has a `prefetch` closure.
    public var prefetches: Bool { prefetch != nil }
    /// Whether the loader has a `refresh` closure.
    public var canRefresh: Bool { runRefresh != nil }

    // MARK: Rows that appear

    /// Calls `loadMore` for a row that has appeared.
    ///
    /// Rows that appear during a load wait, and only the last of them causes the next load. It is
    /// the one near the end that the load has made.
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
            // `nearest` was cleared before, so a row that appears during the load causes the next
            // one.
            await loadMore?(id)
        }
        // There is no suspension point since `nearest` was read as nil. A row that appears from now
        // on starts a load.
        isLoadingMore = false
    }

    // MARK: Rows ahead

    /// Prefetches the rows beyond an appeared row, in the direction of the last scroll.
    public func prefetchRows<Element: Identifiable<ID>>(
        beyond position: ListPosition, in list: some ListSource<Element>
    ) {
        let isBackwards = lastPosition.map { position < $0 } ?? false
        lastPosition = position
        prefetchRows(at: list.positions(beyond: position, count: distance, isBackwards: isBackwards), in: list)
    }

    /// Prefetches rows that neither wait nor are in flight.
    ///
    /// Rows named during a prefetch wait, and are prefetched together after it.
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

    /// Removes rows that wait for a prefetch. A prefetch in flight continues.
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

    /// Loads the list again. Concurrent calls share one refresh.
    ///
    /// Cancelling a caller does not cancel the refresh: SwiftUI cancels the task of `refreshable`
    /// when it redraws the list in the meantime.
    public func refresh() async {
        guard let runRefresh else { return }
        // Both callers wait for the same refresh. A second one would load the list twice.
        if let refreshing { return await refreshing.value }
        let task = Task {
            await runRefresh()
            // Set back inside the task: there is no suspension point until the task ends, so no
            // caller joins a finished refresh.
            refreshing = nil
        }
        refreshing = task
        await task.value
    }
}
