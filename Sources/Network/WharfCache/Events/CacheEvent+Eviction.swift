public import WharfStorage

extension CacheEvent {
    /// Creates the event of an eviction, for the handler of a store.
    ///
    /// ```swift
    /// let store = MemoryCacheStore(byteLimit: 32 << 20, onEviction: { onEvent(CacheEvent($0)) })
    /// configuration.onEvent = onEvent
    /// let caching = CachingTransport(
    ///     transport, store: store, configuration: configuration, onIncident: report)
    /// ```
    ///
    /// ``byteCount`` is the number by which the store counted the response. The stores of Wharf
    /// evict on the task of the commit or update that exceeds their limit.
    public init(_ eviction: CacheEviction) {
        self.init(
            .evicted(EvictionReason(eviction.reason)), target: Self.shown(eviction.key.target),
            method: eviction.key.method, byteCount: eviction.byteCount)
    }
}

extension CacheEvent.EvictionReason {
    fileprivate init(_ reason: CacheEviction.Reason) {
        self =
            switch reason {
            case .byteLimit: .byteLimit
            case .fullDisk: .fullDisk
            }
    }
}
