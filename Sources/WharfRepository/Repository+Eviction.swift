public import WharfCore

extension Repository {
    /// Takes models and lists out of the store until it is within limits: what the origin has not vouched for longest goes first.
    ///
    /// What is observed stays, by itself or in a list as far as that is loaded, and so does what has writes that are not
    /// delivered or in conflict: the limits may not be reached then. A list goes with the first of its members, since without
    /// it it would no longer be what the source said. Without a remote source what is evicted is gone for good.
    ///
    /// ```swift
    /// try await notes.evict(EvictionLimits(age: .seconds(90 * 86_400), bytes: 50_000_000))
    /// ```
    ///
    /// - Parameter isPending: whether writes of a model wait for their delivery.
    /// - Throws: what the store throws; nothing was taken then.
    /// - Complexity: every row of the kind and every dead letter of the account is read.
    @discardableResult
    public func evict(
        _ limits: EvictionLimits, isPending: @escaping @Sendable (EntityKey) -> Bool = { _ in false }
    ) async throws(StoreError) -> Evicted {
        guard let stored else { return Evicted(models: [], lists: [], bytes: 0) }
        return try await stored.evict(limits, isPending: isPending) { [models, lists, pagedLists] in
            ObservedEntities(models.observed.map(\.key.text), lists: lists.observed, pages: pagedLists.observed)
        }
    }
}
