public import WharfCore

extension Repository {
    /// Removes models and lists from the store until it is within limits.
    ///
    /// Rows with the earliest `asOf` go first. These stay, so that the limits may not be reached:
    ///
    /// - Models that are observed, by themselves or in the loaded part of a list.
    /// - Models with changes that wait for delivery or are in conflict.
    ///
    /// A list goes with the first of its members: without that member, the list would differ from
    /// the one that the source has sent. Without a remote source an evicted model is lost. Without
    /// a store there is nothing to evict.
    ///
    /// ```swift
    /// try await notes.evict(EvictionLimits(age: .seconds(90 * 86_400), bytes: 50_000_000))
    /// ```
    ///
    /// - Parameter isPending: whether changes of a model wait for delivery elsewhere.
    /// - Throws: the error of the store; nothing was removed then.
    /// - Complexity: every row of the kind and every dead letter of the account is read.
    @discardableResult
    public func evict(
        _ limits: EvictionLimits, isPending: @escaping @Sendable (EntityKey) -> Bool = { _ in false }
    ) async throws(StoreError) -> EvictionResult {
        guard let stored else { return EvictionResult(models: [], lists: [], bytes: 0) }
        return try await stored.eviction.evict(limits, isPending: isPending) {
            [models, lists, storedLists, pagedLists] in
            ObservedEntities(
                models.observed.map(\.key.text), lists: lists.observed + storedLists.observed,
                pages: pagedLists.observed)
        }
    }
}
