#if SQLite
internal import Synchronization
internal import WharfCore
internal import WharfStorage

/// Writes one response. A short body is collected in memory; a longer one goes into a file.
final class SQLiteCacheWriter: CacheWriter {
    private enum Body {
        case bytes([UInt8])
        case file(BodyFileDraft)
    }

    private enum State {
        case open(Body)
        case ended(String)

        /// Adds to the body; returns an error if it can't.
        mutating func append(_ bytes: [UInt8], _ store: SQLiteCacheStore) -> StoreError? {
            switch self {
            case .ended: return refusal
            case .open(.bytes(var body)):
                // Makes `body` the only reference to the array. Otherwise it would be copied. An
                // error leaves the writer ended.
                self = .ended("abandoned")
                let length = body.count + bytes.count
                if let failure = tooLong(Int64(length), store) { return failure }
                if length <= store.probe.rowLimit {
                    body.append(contentsOf: bytes)
                    self = .open(.bytes(body))
                    return nil
                }
                do throws(StoreError) {
                    var draft = try store.bodies.begin()
                    return write([body, bytes], to: &draft)
                } catch {
                    self = .ended("not written")
                    return error
                }
            case .open(.file(var draft)):
                self = .ended("abandoned")
                if let failure = tooLong(draft.length + Int64(bytes.count), store) {
                    draft.discard()
                    return failure
                }
                return write([bytes], to: &draft)
            }
        }

        /// The bytes until now.
        var length: Int64 {
            switch self {
            case .open(.bytes(let bytes)): Int64(bytes.count)
            case .open(.file(let draft)): draft.length
            case .ended: 0
            }
        }

        private mutating func tooLong(_ length: Int64, _ store: SQLiteCacheStore) -> StoreError? {
            guard length > store.entryLimit else { return nil }
            self = .ended("too large")
            return .tooLarge(length, limit: store.entryLimit)
        }

        private mutating func write(_ chunks: [[UInt8]], to draft: inout BodyFileDraft) -> StoreError? {
            do throws(StoreError) {
                for chunk in chunks { try draft.append(chunk) }
                self = .open(.file(draft))
                return nil
            } catch {
                // Nothing stays on a disk that is full.
                draft.discard()
                self = .ended("not written")
                return error
            }
        }

        /// Takes the body, once.
        mutating func finish() -> Result<Body, StoreError> {
            guard case .open(let body) = self else { return .failure(refusal) }
            // Set before the write. A second commit, even a concurrent one, gets an error.
            self = .ended("committed")
            return .success(body)
        }

        mutating func abandon() {
            guard case .open(let body) = self else { return }
            self = .ended("abandoned")
            if case .file(let draft) = body { draft.discard() }
        }

        private var refusal: StoreError {
            guard case .ended(let how) = self else { return .closed }
            return StoreError(.closed, message: "the writer can't be used again: its entry is \(how); begin another")
        }
    }

    private let store: SQLiteCacheStore
    private let key: RowKey
    private let head: StoredHead
    // `open` once, then `ended` for good. The body belongs to one caller after `finish`. A file is
    // written under the lock, so that `abandon` never removes it during a write.
    private let state = Mutex(State.open(.bytes([])))

    init(store: SQLiteCacheStore, key: CacheKey, head: StoredHead) {
        self.store = store
        self.key = RowKey(key)
        self.head = head
    }

    // A writer that is only released would leave its file until the next opening.
    deinit {
        abandon()
        store.writers.remove(self)
    }

    func append(_ bytes: [UInt8]) async throws(StoreError) {
        // The bytes before stay: the cache stores them as a part.
        if Task.isCancelled { throw .cancelled("add to an entry") }
        let (failure, length) = state.withLock { state in
            let length = state.length + Int64(bytes.count)
            return (state.append(bytes, store), length)
        }
        if let failure {
            if failure.code == .full { await store.makeRoom(for: max(length, head.announcedLength ?? 0)) }
            throw failure
        }
        store.probe.reached?(.appended)
    }

    func commit(as head: StoredHead?) async throws(StoreError) -> StoredResponse.ID {
        let head = head ?? self.head
        switch try state.withLock({ $0.finish() }).get() {
        case .bytes(let bytes):
            do throws(StoreError) {
                return try await insert(.array(bytes), under: head, checksum: XXH64.hash(bytes))
            } catch {
                if error.code == .full { await store.makeRoom(for: Int64(bytes.count)) }
                throw error
            }
        case .file(let draft): return try await commit(draft, under: head)
        }
    }

    private func commit(_ draft: BodyFileDraft, under head: StoredHead) async throws(StoreError) -> StoredResponse.ID {
        var draft = draft
        let isCommitted = Mutex(false)
        do throws(StoreError) {
            try await draft.finish()
            // The lock is held until the row is committed. Without it another process would remove
            // a file without a row.
            let id = try await insert(
                .file(token: draft.token, length: draft.length), under: head, checksum: draft.token,
                committed: { isCommitted.withLock { $0 = true } })
            draft.release()
            return id
        } catch {
            // A cancelled task may learn of its commit as an error. The row then owns the file.
            if isCommitted.withLock({ $0 }) { draft.release() } else { draft.discard() }
            if error.code == .full { await store.makeRoom(for: draft.length) }
            throw error
        }
    }

    /// - Parameter checksum: of the body; the token of its file if it has one.
    private func insert(
        _ body: CacheTables.NewBody, under head: StoredHead, checksum: UInt64, committed: @Sendable () -> Void = {}
    ) async throws(StoreError) -> StoredResponse.ID {
        let coded = HeadCoding(head: head, bodyLength: body.length, bodyChecksum: checksum).encoded(seed: key.seed)
        let varying = HeadCoding.canonical(head.varying)
        let (key, limit, reached) = (key, store.byteLimit, store.probe.reached)
        let size = CacheTables.size(key, varying, coded) + body.length
        // The head counts too: `insert` and `evict` keep the entry just written, so it must fit
        // alone.
        guard size <= limit else {
            throw StoreError(
                .tooLarge,
                message: "the entry has \(size) bytes, head included, and the limit is \(limit); it is not kept: raise "
                    + "the limit"
            )
        }
        // Insertion and eviction are one transaction: a kill leaves neither an entry above the
        // limit nor evicted ones without it.
        let (id, evictions) = try await store.write("write an entry", committed: committed) { tables in
            // In the transaction: it runs before the purge of its account, or finds its writer
            // ended.
            guard store.writers.contains(self) else { throw StoreError.purged }
            let id = try tables.insert(key, varying: varying, head: coded, body: body) { reached?($0) }
            // The entry just written stays at any limit: the caller gets its id.
            let evictions = try tables.evict(downTo: limit, except: id)
            reached?(.evicted)
            return (id, evictions)
        }
        for eviction in evictions { store.onEviction(eviction) }
        return id
    }

    func abandon() {
        state.withLock { $0.abandon() }
    }
}

extension StoreError {
    static func tooLarge(_ length: Int64, limit: Int64) -> StoreError {
        StoreError(
            .tooLarge,
            message:
                "the body has at least \(length) bytes, and the limit is \(limit); it is not kept: raise the limit")
    }
}
#endif
