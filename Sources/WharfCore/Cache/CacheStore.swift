/// Keeps responses: variants under a key, each a head and a body.
///
/// Conform to it to keep responses somewhere else. It knows nothing of freshness; that is the
/// policy's part.
///
/// Every conformer keeps these laws; `WharfCoreLaws` checks them (`CacheStoreLaws`), but for
/// damage, which only the conformer's own tests can do:
/// - Nothing is visible before ``CacheWriter/commit()``, and all of it after.
/// - A body is given whole and unchanged, or not at all: an entry that is damaged is removed,
///   reported and never served.
/// - A commit replaces the variant of its key with the same `varying`, and no other.
/// - `lookup` sees one moment: the body that it returns belongs to the head that was selected.
/// - The least recently looked up are removed first when the byte limit is passed.
public protocol CacheStore: Sendable {
    /// Finds the variants under a key and reads the body of the one that is selected.
    ///
    /// - Parameter select: gets the variants, the most recently stored first, and gives the id of
    ///   the one whose body is wanted, or nil for none. Called once; it must not block.
    func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> StoredResponse.ID?
    ) async throws(StoreError) -> CacheLookup

    /// Begins a response under a key. The writer holds what it is given until it is committed.
    func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter

    /// Replaces the head of a stored response after a 304; its body stays. Nothing happens when the
    /// response is gone.
    func update(_ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead) async throws(StoreError)

    /// Removes one variant.
    func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError)

    /// Removes all variants under a key.
    func removeAll(under key: CacheKey) async throws(StoreError)

    /// Removes everything that an account reads, or with nil everything that was read without one.
    func removeAll(of account: Account?) async throws(StoreError)
}

/// What a store holds under a key, as of one moment.
public struct CacheLookup: Sendable {
    /// The most recently stored first.
    public var variants: [StoredResponse]
    /// The body of the variant that was selected; nil when none was, or when it was damaged.
    public var body: BodyStream?

    public init(variants: [StoredResponse], body: BodyStream? = nil) {
        self.variants = variants
        self.body = body
    }
}

/// Takes one response into a store. Letting go of it without a commit abandons the response.
public protocol CacheWriter: Sendable {
    /// Adds to the body.
    ///
    /// - Throws: when the response can't be kept, for one because it is larger than the store
    ///   allows. The writer is of no more use then; the read that feeds it goes on.
    func append(_ bytes: [UInt8]) async throws(StoreError)

    /// Makes the response visible, whole and at once, and gives its id.
    func commit() async throws(StoreError) -> StoredResponse.ID

    /// Forgets the response. Does nothing after a commit.
    func abandon()
}
