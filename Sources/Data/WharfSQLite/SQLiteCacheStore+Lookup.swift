#if SQLite
internal import GRDB
internal import Synchronization
public import WharfCore

extension SQLiteCacheStore {
    /// Looks up an entry in one read transaction.
    ///
    /// - The use of the entry is marked in memory, and written with a later commit.
    /// - The lookup is repeated while another process holds the file for a moment.
    /// - A corrupt file is a miss.
    public func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> StoredResponse.ID?
    ) async throws(StoreError) -> CacheLookup {
        try usage.enter()
        defer { usage.leave() }
        let found = try await find(key, select)
        if !found.damaged.isEmpty { await drop(found.damaged, under: key) }
        guard let hit = found.hit else { return CacheLookup(variants: found.variants) }
        // Runs in the background, because a hit does not wait for a write.
        if state.withLock({ $0.marks.mark(hit.id) }) { writeMarksLater() }
        return CacheLookup(variants: found.variants, body: BodyStream(hit.body))
    }

    private func find(
        _ key: CacheKey, _ select: @Sendable ([StoredResponse]) -> StoredResponse.ID?
    ) async throws(StoreError) -> CacheMatch {
        let row = RowKey(key)
        let asked = Once()
        do {
            return try await pool.patientRead("look up an entry", while: { !asked.isSet }) { db in
                try CacheTables(db: db).find(row) { variants in
                    asked.set()
                    return select(variants)
                }
            }
        } catch {
            let failure = failure(error, doing: "look up an entry")
            guard failure.code == .corrupt else { throw failure }
            if !asked.isSet { _ = select([]) }
            return CacheMatch()
        }
    }
}

/// Whether the selection was made, which happens once.
private final class Once: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
#endif
