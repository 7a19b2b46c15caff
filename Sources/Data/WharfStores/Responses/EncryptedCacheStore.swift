#if Encryption
public import Crypto
internal import Synchronization
public import WharfCore
internal import WharfPrimitives
public import WharfStorage

/// A cache of responses that encrypts each in another store.
///
/// ```swift
/// let file = try await SQLiteCacheStore.open(at: path, onIncident: log)
/// let store = EncryptedCacheStore(file, key: { try keychain.cacheKey() }, onIncident: log)
/// ```
///
/// - **Sealed** are the target, the account, the top-level site, the head with its times, the
///   fields of `Vary`, and the body. The other store shows how many responses there are, their
///   lengths, how many belong to one account or target, and when each was used.
/// - **A wrong key** is a miss: nothing of the other key is found. It is reported once, if the
///   other store is an ``WharfStorage/InspectableCacheStore``.
/// - **A changed response** is removed, reported and not served. A body of more than 64 KB is
///   opened piece by piece as it is read. A changed piece ends the read with
///   ``WharfCore/TransportError/Code/connectionLost`` and no byte of the piece. A range is
///   checked by its own pieces alone. If the body was cut behind it, its length is that of the
///   rest.
/// - **An unavailable key**, such as that of a locked device, throws the code `unavailable`. A
///   cache then reports it, and goes on to the network. The next call asks for the key again.
///
/// The keys come from yours by HKDF-SHA256. Names are sealed by HMAC-SHA256, heads by AES-GCM.
/// Bodies are sealed by AES-GCM in the STREAM construction (Hoang and others, "Online Authenticated
/// Encryption and its Nonce-Reuse Misuse-Resistance", CRYPTO 2015), with a key of their own each.
/// An older response that is put back in its place is not detected.
public final class EncryptedCacheStore: CacheStore {
    private let base: any CacheStore
    private let key: @Sendable () async throws -> SymmetricKey
    private let onIncident: IncidentHandler
    // Only a memo. Two first calls may both ask for the key, with one result.
    private let memo = Mutex<CacheSeal?>(nil)

    /// Creates a store over another one.
    ///
    /// - Parameters:
    ///   - base: the store of the sealed responses. It may not hold others.
    ///   - key: returns a key of 256 bits, the same each time. It is called at the first use, and
    ///     again only after it has thrown.
    ///   - onIncident: gets the responses that could not be opened.
    public init(
        _ base: any CacheStore, key: @escaping @Sendable () async throws -> SymmetricKey,
        onIncident: @escaping IncidentHandler
    ) {
        self.base = base
        self.key = key
        self.onIncident = onIncident
    }

    public func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup {
        let seal = try await seal()
        let name = seal.name(key)
        let opening = Mutex(Opening())
        let found = try await base.lookup(name) { sealed in
            var opened = Opening()
            for response in sealed {
                if let open = seal.open(response, under: name) {
                    opened.responses.append(open)
                } else {
                    opened.damaged.append(response.id)
                }
            }
            opened.choose(select(opened.responses.map(\.plain)))
            opening.withLock { $0 = opened }
            return opened.part.map { CacheSelection(id: $0.id, part: $0.sealed) }
        }
        let opened = opening.withLock { $0 }
        for id in opened.damaged { await drop(id, key, name, "its head was changed") }
        // The other store may have found a body damaged, and removed its variant.
        let ids = Set(found.variants.map(\.id))
        var lookup = CacheLookup(variants: opened.responses.map(\.plain).filter { ids.contains($0.id) })
        guard let part = opened.part, let body = found.body else { return lookup }
        let pieces = SealedBody(body, part) { [weak self] in
            await self?.drop(part.id, key, name, "its body was changed")
        }
        do throws(TransportError) {
            // A short body is opened before it is served. So a changed one is a miss.
            try await pieces.openFirst()
            lookup.body = BodyStream(pieces, expectedLength: part.length)
        } catch {
            guard error.code != .cancelled else {
                throw StoreError(.cancelled, message: "the lookup was cancelled", cause: error)
            }
            lookup.variants.removeAll { $0.id == part.id }
        }
        return lookup
    }

    public func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        let seal = try await seal()
        let name = seal.name(key)
        let body = BodyCipher(salt: BodyCipher.newSalt(), of: seal)
        let sealed = { @Sendable (head: StoredHead) throws(StoreError) in
            try seal.sealed(head, body.salt, under: name)
        }
        return SealedBodyWriter(try await base.begin(name, sealed(head)), body, sealed: sealed)
    }

    public func update(
        _ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead
    ) async throws(StoreError) {
        let seal = try await seal()
        let name = seal.name(key)
        // The new head needs the salt of the body, which stays. No other writer changes it.
        let found = try await base.lookup(name) { _ in nil }
        guard let salt = found.variants.first(where: { $0.id == id }).flatMap({ seal.open($0, under: name) })?.body.salt
        else { return }
        try await base.update(id, under: name, to: try seal.sealed(head, salt, under: name))
    }

    public func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
        try await base.remove(id, under: try await seal().name(key))
    }

    public func removeAll(under key: CacheKey) async throws(StoreError) {
        try await base.removeAll(under: try await seal().name(key))
    }

    public func removeAll(of account: Account?) async throws(StoreError) {
        guard let account else { return try await base.removeAll(of: nil) }
        try await base.removeAll(of: try await seal().name(account))
    }

    // MARK: The key

    private func seal() async throws(StoreError) -> CacheSeal {
        if let known = memo.withLock({ $0 }) { return known }
        let made: CacheSeal
        do {
            made = CacheSeal(try await key())
        } catch {
            throw StoreError(
                error is CancellationError ? .cancelled : .unavailable,
                message:
                    "could not get the key of the encrypted cache: \(error); it is asked for again at the next use",
                cause: error)
        }
        let isFirst = memo.withLock { memo in
            defer { memo = made }
            return memo == nil
        }
        if isFirst { await reportOtherKey(than: made) }
        return made
    }

    private func reportOtherKey(than seal: CacheSeal) async {
        guard let store = base as? any InspectableCacheStore,
            // Only a report: without the entry, a wrong key is a miss all the same.
            let latest = (try? await store.entries(usedBefore: nil, limit: 1))?.first,
            !seal.hasSealed(latest.head)
        else { return }
        onIncident(
            Incident(
                .entryDropped,
                message:
                    "the stored responses were sealed with another key than that of the encrypted cache, so they "
                    + "are not found; open the cache with the earlier key, or leave them to eviction"))
    }

    private func drop(_ id: StoredResponse.ID, _ key: CacheKey, _ name: CacheKey, _ what: String) async {
        let target = RedactedURL.text(key.target)
        do throws(StoreError) {
            try await base.remove(id, under: name)
            onIncident(Incident(.entryDropped, message: "a stored response of \(target) was removed: \(what)"))
        } catch {
            if error.code == .cancelled { return }
            onIncident(
                Incident(
                    .storeFailed, message: "could not remove a response of \(target), although \(what): \(error)",
                    cause: error))
        }
    }
}

/// The opened variants of one lookup.
private struct Opening: Sendable {
    var responses: [OpenedResponse] = []
    var damaged: [StoredResponse.ID] = []
    /// The selected part of a body.
    var part: SealedPart?

    mutating func choose(_ selection: CacheSelection?) {
        guard let selection, let chosen = responses.first(where: { $0.plain.id == selection.id }) else { return }
        part = SealedPart(selection, of: chosen)
    }
}
#endif
