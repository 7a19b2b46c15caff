internal import Synchronization
public import WharfCore

/// A response store in memory that evicts the least recently used responses.
///
/// Its limit is a number of bytes. Heads count too: names and values of fields, the key, and 256
/// bytes of overhead. Look-up, commit and eviction take constant time in the number of entries; the
/// variants of one key are searched linearly.
public final class MemoryCacheStore: CacheStore {
    private let state: Mutex<MemoryEntries>
    private let byteLimit: Int
    private let isEnded = Atomic(false)

    /// Creates an empty store.
    ///
    /// - Parameter byteLimit: the maximum number of stored bytes. A larger response is refused.
    public init(byteLimit: Int = 32 << 20) {
        self.byteLimit = max(0, byteLimit)
        self.state = Mutex(MemoryEntries(byteLimit: self.byteLimit))
    }

    public func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> StoredResponse.ID?
    ) async throws(StoreError) -> CacheLookup {
        // An entry is immutable. So it is read, and the caller's closure runs, outside of the lock.
        guard let entry = state.withLock({ $0.entry(key) }) else {
            _ = select([])
            return CacheLookup(variants: [])
        }
        guard let id = select(entry.variants), let index = entry.variants.firstIndex(where: { $0.id == id }) else {
            return CacheLookup(variants: entry.variants)
        }
        state.withLock { $0.touch(entry.places[index], id) }
        return CacheLookup(variants: entry.variants, body: BodyStream(entry.bodies[index]))
    }

    public func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        if isEnded.load(ordering: .acquiring) { throw .ended }
        return MemoryCacheWriter(self, key, head, room: byteLimit - MemoryEntries.cost(key, head))
    }

    public func update(
        _ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead
    ) async throws(StoreError) {
        state.withLock { $0.update(id, under: key, to: head) }
    }

    public func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
        state.withLock { $0.remove(under: key) { $0 == id } }
    }

    public func removeAll(under key: CacheKey) async throws(StoreError) {
        state.withLock { $0.remove(under: key) { _ in true } }
    }

    public func removeAll(of account: Account?) async throws(StoreError) {
        state.withLock { $0.removeAll(of: account) }
    }

    /// The number of stored bytes, heads included.
    public var byteCount: Int { state.withLock { $0.total } }

    /// Removes all responses, and refuses new ones from now on.
    package func end() {
        state.withLock { entries in
            isEnded.store(true, ordering: .releasing)
            entries = MemoryEntries(byteLimit: byteLimit)
        }
    }

    fileprivate func insert(
        _ key: CacheKey, _ head: StoredHead, _ body: [UInt8]
    ) throws(StoreError) -> StoredResponse.ID {
        let id = state.withLock { isEnded.load(ordering: .acquiring) ? nil : $0.insert(key, head, body) }
        guard let id else { throw .ended }
        return id
    }
}

private final class MemoryCacheWriter: CacheWriter {
    private enum State {
        case open([UInt8])
        case done

        mutating func append(_ bytes: [UInt8], room: Int) throws(StoreError) {
            guard case .open(var body) = self else { throw .writerClosed }
            self = .done
            guard bytes.count <= room - body.count else {
                throw StoreError(
                    .tooLarge,
                    message: "the body has at least \(body.count + bytes.count) bytes, and the store has room for "
                        + "\(max(0, room)); raise the store's byte limit to keep it"
                )
            }
            if body.isEmpty { body = bytes } else { body.append(contentsOf: bytes) }
            self = .open(body)
        }

        mutating func finish() throws(StoreError) -> [UInt8] {
            guard case .open(let body) = self else { throw .writerClosed }
            self = .done
            return body
        }
    }

    private let state = Mutex(State.open([]))
    private let store: MemoryCacheStore
    private let key: CacheKey
    private let head: StoredHead
    private let room: Int

    init(_ store: MemoryCacheStore, _ key: CacheKey, _ head: StoredHead, room: Int) {
        self.store = store
        self.key = key
        self.head = head
        self.room = room
    }

    func append(_ bytes: [UInt8]) async throws(StoreError) {
        try state.withLock { state throws(StoreError) in try state.append(bytes, room: room) }
    }

    func commit() async throws(StoreError) -> StoredResponse.ID {
        let body = try state.withLock { state throws(StoreError) in
            // The head alone may exceed the limit. Without an append, no check has happened yet.
            try state.append([], room: room)
            return try state.finish()
        }
        return try store.insert(key, head, body)
    }

    func abandon() { state.withLock { $0 = .done } }
}

extension StoreError {
    fileprivate static var ended: StoreError {
        StoreError(.closed, message: "the account of this store was signed out; the store keeps nothing any more")
    }

    fileprivate static var writerClosed: StoreError {
        StoreError(.closed, message: "the response was committed, abandoned or refused before; begin another one")
    }
}
