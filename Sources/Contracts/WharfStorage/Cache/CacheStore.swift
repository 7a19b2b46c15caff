public import WharfCore

/// A store of responses. Each key has variants, and each variant has a head and a body.
///
/// Conform to it to keep responses in another place. The store does not know about freshness; the
/// cache policy does.
///
/// Every conformer keeps these laws. `CacheStoreLaws` in `WharfCoreLaws` checks all but the
/// handling of damage, which the conformer's own tests must check:
/// - A response is not visible before ``CacheWriter/commit(as:)``, and complete after it.
/// - A body is delivered complete and unchanged, or its stream throws. A damaged entry is removed,
///   reported and never served again.
/// - A selected part is exactly these bytes of the body. A store reads no more of a large body than
///   the part and its checksums.
/// - A body that was looked up can be read to its end, even if its entry is removed meanwhile.
/// - A commit replaces the variant of its key with the same `varying`, and no other variant. Under
///   another head, it is as if the writer had been begun with that head.
/// - `lookup` sees one moment: the body that it returns belongs to the selected head.
/// - A writer that began before ``removeAll(of:)`` of its account commits nothing afterwards.
///   Writers of other accounts go on.
/// - If the byte limit is exceeded, the least recently used entries are removed first. A lookup
///   counts as a use.
public protocol CacheStore: Sendable {
    /// Finds the variants under a key and opens the body of the selected one.
    ///
    /// - Parameter select: receives the variants, the most recently stored first. It returns the
    ///   variant whose body or part is wanted, or nil for none. It is called once and must not
    ///   block.
    func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup

    /// Starts to write a response under a key. The response is not visible before the writer
    /// commits it.
    func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter

    /// Replaces the head of a stored response after a 304. The body stays.
    ///
    /// It does nothing if the response is no longer there.
    func update(_ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead) async throws(StoreError)

    /// Removes one variant.
    func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError)

    /// Removes all variants under a key, and under the same key of each other top-level site.
    ///
    /// A change of the resource concerns the stored responses of all sites (RFC 9111 §4.4).
    func removeAll(under key: CacheKey) async throws(StoreError)

    /// Removes all responses of an account, of each top-level site; nil removes those without an
    /// account.
    ///
    /// Writers of the account that have begun are ended: a response whose body is still received
    /// is not stored afterwards. A response that begins later is stored. So a sign-out first ends
    /// the requests of the account.
    func removeAll(of account: Account?) async throws(StoreError)
}

/// The variants that a store holds under a key at one moment.
public struct CacheLookup: Sendable {
    /// The variants, the most recently stored first.
    public var variants: [StoredResponse]
    /// The body of the selected variant, or the selected part of it.
    ///
    /// - It is nil if none was selected or the body was damaged.
    /// - It is read piece by piece, at the pace of its reader.
    /// - If damage is found during the read, it throws
    ///   ``WharfCore/TransportError/Code/connectionLost``, whose cause is a
    ///   ``WharfCore/StoreError/Code/corrupt``.
    public var body: BodyStream?

    /// Creates the result of a lookup.
    public init(variants: [StoredResponse], body: BodyStream? = nil) {
        self.variants = variants
        self.body = body
    }
}

/// A writer of one response. If it is released without a commit, the response is abandoned.
public protocol CacheWriter: Sendable {
    /// Appends bytes to the body.
    ///
    /// - Throws: ``StoreError`` if the response can't be stored, for example because it is larger
    ///   than the store allows. The writer is then unusable. The read that feeds it goes on. After
    ///   ``StoreError/Code/cancelled`` a commit stores the bytes before, or throws.
    func append(_ bytes: [UInt8]) async throws(StoreError)

    /// Makes the response visible at once with all appended bytes, and returns its id.
    ///
    /// A head is given if the response became another one while it was written. One that broke off
    /// becomes a partial response (RFC 9111 §3.3), whose head tells the bytes that arrived.
    ///
    /// - Parameter head: takes the place of the head of ``CacheStore/begin(_:_:)``; nil keeps that
    ///   one. Its `varying` decides which variant is replaced.
    /// - Throws: ``StoreError/Code/tooLarge`` if the new head exceeds the limit.
    func commit(as head: StoredHead?) async throws(StoreError) -> StoredResponse.ID

    /// Discards the response. It does nothing after a commit.
    func abandon()
}

extension CacheWriter {
    /// Makes the response visible at once, under the head that it was begun with.
    public func commit() async throws(StoreError) -> StoredResponse.ID { try await commit(as: nil) }
}
