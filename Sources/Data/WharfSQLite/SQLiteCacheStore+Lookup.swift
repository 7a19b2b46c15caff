#if SQLite
internal import GRDB
internal import Synchronization
public import WharfCore
public import WharfStorage

extension SQLiteCacheStore {
    /// Looks up an entry in one read transaction.
    ///
    /// - The use of the entry is marked in memory, and written with a later commit.
    /// - The lookup is repeated while another process holds the file for a moment.
    /// - A corrupt file is a miss.
    public func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup {
        try await lookup(key, isUse: true, select: select)
    }

    /// - Parameter isUse: whether a hit marks the entry as used.
    func lookup(
        _ key: CacheKey, isUse: Bool, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup {
        try usage.enter()
        defer { usage.leave() }
        let found = try await find(key, select)
        // Awaited: the next lookup must not find the damaged entry again.
        if !found.damaged.isEmpty { await drop(found.damaged, under: key) }
        guard let hit = found.hit else { return CacheLookup(variants: found.variants) }
        // Runs in the background, because a hit does not wait for a write.
        if isUse, !pool.configuration.readonly, state.withLock({ $0.marks.mark(hit.id) }) { writeMarksLater() }
        switch hit.body {
        case .array(let bytes): return CacheLookup(variants: found.variants, body: BodyStream(bytes))
        case .file(let file, let bytes):
            let body = StoredFileBody(file, bytes) { [self] what in
                await dropLater([Damage(id: hit.id, what: what)], under: key)
            }
            return CacheLookup(
                variants: found.variants, body: BodyStream(body, expectedLength: Int64(bytes.count)))
        }
    }

    private func find(
        _ key: CacheKey, _ select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheMatch {
        let row = RowKey(key)
        // `select` must run once, so the read is not repeated after it.
        let asked = OnceFlag()
        do {
            return try await pool.patientRead("look up an entry", while: { !asked.isSet }) { [bodies] db in
                try CacheTables(db: db).find(row, in: bodies) { variants in
                    asked.set()
                    return select(variants)
                }
            }
        } catch {
            let failure = failure(error, doing: "look up an entry")
            guard failure.code == .corrupt else { throw failure }
            // `select` runs once even for a miss.
            if !asked.isSet { _ = select([]) }
            return CacheMatch()
        }
    }
}

/// Whether the selection was made, which happens once.
private final class OnceFlag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
#endif
