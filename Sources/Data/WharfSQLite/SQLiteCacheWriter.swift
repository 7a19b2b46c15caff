#if SQLite
internal import Synchronization
internal import WharfCore

/// Collects one response in memory and writes it in one transaction.
final class SQLiteCacheWriter: CacheWriter {
    private enum State {
        case open([UInt8])
        case ended(String)

        /// Adds to the body; returns an error if it can't.
        mutating func append(_ bytes: [UInt8], limit: Int64) -> StoreError? {
            guard case .open(var body) = self else { return refusal }
            // Makes `body` the only reference to the array. Otherwise it would be copied.
            self = .ended("abandoned")
            let length = Int64(body.count) + Int64(bytes.count)
            guard length <= limit else {
                self = .ended("too large")
                return StoreError(
                    .tooLarge,
                    message:
                        "the body has at least \(length) bytes, and the limit is \(limit); it is not kept: raise the "
                        + "limit"
                )
            }
            body.append(contentsOf: bytes)
            self = .open(body)
            return nil
        }

        /// Takes the body, once.
        mutating func finish() -> Result<[UInt8], StoreError> {
            guard case .open(let body) = self else { return .failure(refusal) }
            self = .ended("committed")
            return .success(body)
        }

        mutating func abandon() {
            if case .open = self { self = .ended("abandoned") }
        }

        private var refusal: StoreError {
            guard case .ended(let how) = self else { return .closed }
            return StoreError(.closed, message: "the writer can't be used again: its entry is \(how); begin another")
        }
    }

    private let store: SQLiteCacheStore
    private let key: RowKey
    private let head: StoredHead
    private let state = Mutex(State.open([]))

    init(store: SQLiteCacheStore, key: CacheKey, head: StoredHead) {
        self.store = store
        self.key = RowKey(key)
        self.head = head
    }

    func append(_ bytes: [UInt8]) async throws(StoreError) {
        if Task.isCancelled {
            abandon()
            throw .cancelled("add to an entry")
        }
        if let failure = state.withLock({ $0.append(bytes, limit: store.entryLimit) }) { throw failure }
        store.probe.reached?(.appended)
    }

    func commit() async throws(StoreError) -> StoredResponse.ID {
        let body = try state.withLock { $0.finish() }.get()
        let coded = HeadCoding(head: head, bodyLength: Int64(body.count), bodyChecksum: XXH64.hash(body))
            .encoded(seed: key.seed)
        let varying = HeadCoding.canonical(head.varying)
        let (key, limit, reached) = (key, store.byteLimit, store.probe.reached)
        let size = CacheTables.size(key, varying, coded) + Int64(body.count)
        guard size <= limit else {
            throw StoreError(
                .tooLarge,
                message: "the entry has \(size) bytes, head included, and the limit is \(limit); it is not kept: raise "
                    + "the limit"
            )
        }
        return try await store.write("write an entry") { tables in
            let id = try tables.insert(key, varying: varying, head: coded, body: body) { reached?($0) }
            try tables.evict(downTo: limit, except: id)
            reached?(.evicted)
            return id
        }
    }

    func abandon() {
        state.withLock { $0.abandon() }
    }
}
#endif
