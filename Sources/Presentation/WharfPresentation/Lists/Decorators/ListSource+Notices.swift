public import WharfCore

extension ListSource {
    /// Adds a notice as a row of its own. Adding the same notice twice makes two rows.
    ///
    /// - Parameter notice: the notice; nil for none.
    public func notice(_ notice: ListNotice?, at edge: NoticedList<Self>.Edge = .top) -> NoticedList<Self> {
        NoticedList(self, notice: notice, at: edge)
    }

    /// Adds a text below all other rows if the list has no elements.
    ///
    /// It adds nothing until it is known whether there are elements.
    public func placeholder(_ text: String) -> NoticedList<Self> {
        notice(isKnown && !hasElements ? ListNotice(.placeholder, text) : nil, at: .bottom)
    }

    /// Adds a text above the list while rows are being fetched, or wait for a network.
    ///
    /// - Parameter text: returns the text; nil for none. It is not called for ``FetchStatus/idle``.
    public func loading(_ fetch: FetchStatus, text: (FetchStatus) -> String?) -> NoticedList<Self> {
        notice(fetch == .idle ? nil : text(fetch).map { ListNotice(.loading, $0) })
    }

    /// Adds a text above the list that says how old it is and why.
    ///
    /// - Parameters:
    ///   - snapshot: the snapshot that the rows come from.
    ///   - text: returns the text; nil for none. It is not called for fresh rows, see
    ///     ``Staleness``.
    public func staleBanner<Value>(
        of snapshot: Snapshot<Value>, at now: WallTime, text: (Staleness) -> String?
    ) -> NoticedList<Self> {
        notice(Staleness(snapshot, at: now).flatMap(text).map { ListNotice(.stale, $0) })
    }
}
