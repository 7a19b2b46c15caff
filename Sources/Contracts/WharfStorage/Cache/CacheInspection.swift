public import WharfCore

/// A store of responses whose entries can be listed, for tools and administrators.
///
/// The cache itself needs ``CacheStore`` only. Every conformer keeps these laws too, which
/// `CacheStoreLaws` in `WharfCoreLaws` checks:
/// - A list names each committed response once, the most recently used first.
/// - Pages leave no gap and repeat nothing, if the store does not change meanwhile.
/// - Listing an entry or reading its body is no use of the entry.
public protocol InspectableCacheStore: CacheStore {
    /// Lists entries, the most recently used first.
    ///
    /// ```swift
    /// var page = try await store.entries(usedBefore: nil, limit: 100)
    /// while let last = page.last {
    ///     show(page)
    ///     page = try await store.entries(usedBefore: last.lastUse, limit: 100)
    /// }
    /// ```
    ///
    /// An entry that is used between two pages moves to the front, so a later page does not have
    /// it. An entry that is removed between two pages does not disturb the order of the others.
    ///
    /// - Parameters:
    ///   - use: ``CacheEntry/lastUse`` of the last entry of the previous page; nil for the first
    ///     page.
    ///   - limit: the most entries of the page. A shorter page is the last one.
    func entries(usedBefore use: Int64?, limit: Int) async throws(StoreError) -> [CacheEntry]

    /// Reads the body of an entry, which is no use of it.
    ///
    /// - Returns: nil if the entry is gone or damaged. A damaged entry is removed and reported, as
    ///   by a lookup.
    func body(of entry: CacheEntry) async throws(StoreError) -> BodyStream?

    /// Counts the entries and their bytes.
    func statistics() async throws(StoreError) -> CacheStatistics
}

/// A stored response in a list of all.
public struct CacheEntry: Sendable, Hashable, Identifiable {
    /// The id of the stored response.
    public var id: StoredResponse.ID
    /// The key under which it is stored.
    public var key: CacheKey
    /// The head of the response.
    public var head: StoredHead
    /// The length of its body in bytes.
    public var bodyLength: Int64
    /// The bytes that it counts toward the limit of the store: key, head and body.
    public var byteCount: Int64
    /// The number of its last use.
    ///
    /// Each use in the store has a higher number than the one before. A store keeps no time of a
    /// use, and the number counts nothing else.
    public var lastUse: Int64

    /// Creates an entry.
    public init(
        id: StoredResponse.ID, key: CacheKey, head: StoredHead, bodyLength: Int64, byteCount: Int64, lastUse: Int64
    ) {
        self.id = id
        self.key = key
        self.head = head
        self.bodyLength = bodyLength
        self.byteCount = byteCount
        self.lastUse = lastUse
    }
}

/// The size of a store of responses.
public struct CacheStatistics: Sendable, Hashable {
    /// The number of stored responses; variants of a key count one each.
    public var entryCount: Int
    /// The bytes that count toward the limit: keys, heads and bodies.
    public var byteCount: Int64
    /// The most bytes that are kept; nil if the store knows no limit.
    public var byteLimit: Int64?

    /// Creates the size of a store.
    public init(entryCount: Int, byteCount: Int64, byteLimit: Int64?) {
        self.entryCount = entryCount
        self.byteCount = byteCount
        self.byteLimit = byteLimit
    }
}
