internal import Synchronization
public import WharfCore
public import WharfStorage

/// A response store in memory that evicts the least recently used responses.
///
/// Its limit is a number of bytes. Heads count too: names and values of fields, the key, and 256
/// bytes of overhead. Look-up, commit and eviction take constant time in the number of entries; the
/// variants of one key are searched linearly.
public final class MemoryCacheStore: CacheStore {
    // Invariant: after `isEnded` is set, `state` is empty and stays so. Both are set under the
    // lock; `begin` reads the flag without it, and `insert` checks it again.
    let state: Mutex<MemoryEntries>
    let byteLimit: Int
    private let onEviction: @Sendable (CacheEviction) -> Void
    private let isEnded = Atomic(false)
    fileprivate let writers = OpenWriters<MemoryCacheWriter>()

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - byteLimit: the maximum number of stored bytes. A larger response is refused. There is no
    ///     other limit of one response.
    ///   - onEviction: called after an eviction, on the task of the commit or update that caused
    ///     it.
    public init(byteLimit: Int = 32 << 20, onEviction: @escaping @Sendable (CacheEviction) -> Void = { _ in }) {
        self.byteLimit = max(0, byteLimit)
        self.onEviction = onEviction
        self.state = Mutex(MemoryEntries(byteLimit: self.byteLimit))
    }

    public func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup {
        // An entry is immutable. So it is read, and the caller's closure runs, outside of the lock.
        guard let entry = state.withLock({ $0.entry(key) }) else {
            _ = select([])
            return CacheLookup(variants: [])
        }
        guard let selection = select(entry.variants),
            let index = entry.variants.firstIndex(where: { $0.id == selection.id })
        else { return CacheLookup(variants: entry.variants) }
        // The entry may be evicted by now, and its place taken, or `end` has dropped all places.
        // `touch` checks both.
        state.withLock { $0.touch(entry.places[index], selection.id) }
        let body = entry.bodies[index]
        guard selection.part != nil else { return CacheLookup(variants: entry.variants, body: BodyStream(body)) }
        let bytes = selection.bytes(of: Int64(body.count))
        let part = BodyStream(MemoryPart(body, bytes), expectedLength: Int64(bytes.count))
        return CacheLookup(variants: entry.variants, body: part)
    }

    public func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        if isEnded.load(ordering: .acquiring) { throw .ended }
        let capacity = capacity(key, head)
        if let length = head.announcedLength, length > Int64(capacity) { throw .tooLarge(length, capacity: capacity) }
        let writer = MemoryCacheWriter(self, key, head)
        writers.add(writer, of: key.account)
        return writer
    }

    public func update(
        _ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead
    ) async throws(StoreError) {
        report(state.withLock { $0.update(id, under: key, to: head) })
    }

    public func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
        state.withLock { $0.remove(under: key) { $0 == id } }
    }

    public func removeAll(under key: CacheKey) async throws(StoreError) {
        state.withLock { $0.removeAll(under: key) }
    }

    public func removeAll(of account: Account?) async throws(StoreError) {
        writers.end(of: account)
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

    /// Returns the bytes that are left for a body.
    fileprivate func capacity(_ key: CacheKey, _ head: StoredHead) -> Int {
        byteLimit - MemoryEntries.cost(key, head)
    }

    fileprivate func insert(
        _ key: CacheKey, _ head: StoredHead, _ body: [UInt8], from writer: MemoryCacheWriter
    ) throws(StoreError) -> StoredResponse.ID {
        // Both checks are under the lock: a writer that began before `end`, or before a purge, must
        // not store a response after it.
        let (id, evictions) = try state.withLock { entries throws(StoreError) in
            if isEnded.load(ordering: .acquiring) { throw .ended }
            guard writers.contains(writer) else { throw .purged }
            return entries.insert(key, head, body)
        }
        report(evictions)
        return id
    }

    /// Reports outside of the lock, because the callback may use the store.
    private func report(_ evictions: [CacheEviction]) {
        for eviction in evictions { onEviction(eviction) }
    }
}

private final class MemoryCacheWriter: CacheWriter {
    private enum State {
        case open([UInt8])
        case done

        mutating func append(_ bytes: [UInt8], capacity: Int) throws(StoreError) {
            guard case .open(var body) = self else { throw .writerClosed }
            // Set first: the array in `body` has one reference then, and appending copies nothing.
            // An error leaves the writer done.
            self = .done
            guard bytes.count <= capacity - body.count else {
                throw .tooLarge(Int64(body.count + bytes.count), capacity: capacity)
            }
            // The first chunk is taken over without a copy.
            if body.isEmpty { body = bytes } else { body.append(contentsOf: bytes) }
            self = .open(body)
        }

        mutating func finish() throws(StoreError) -> [UInt8] {
            guard case .open(let body) = self else { throw .writerClosed }
            self = .done
            return body
        }
    }

    // `open` once, then `done` for good.
    private let state = Mutex(State.open([]))
    private let store: MemoryCacheStore
    private let key: CacheKey
    private let head: StoredHead
    private let capacity: Int

    init(_ store: MemoryCacheStore, _ key: CacheKey, _ head: StoredHead) {
        self.store = store
        self.key = key
        self.head = head
        self.capacity = store.capacity(key, head)
    }

    deinit { store.writers.remove(self) }

    func append(_ bytes: [UInt8]) async throws(StoreError) {
        try state.withLock { state throws(StoreError) in try state.append(bytes, capacity: capacity) }
    }

    func commit(as head: StoredHead?) async throws(StoreError) -> StoredResponse.ID {
        let head = head ?? self.head
        let body = try state.withLock { state throws(StoreError) in
            // The head alone may exceed the limit. Without an append, or for another head, no check
            // has happened yet.
            try state.append([], capacity: store.capacity(key, head))
            return try state.finish()
        }
        return try store.insert(key, head, body, from: self)
    }

    func abandon() { state.withLock { $0 = .done } }
}

extension StoreError {
    fileprivate static var ended: StoreError {
        StoreError(.closed, message: "the account of this store was signed out; the store keeps nothing any more")
    }

    fileprivate static func tooLarge(_ length: Int64, capacity: Int) -> StoreError {
        StoreError(
            .tooLarge,
            message: "the body has at least \(length) bytes, and the store has room for \(max(0, capacity)); raise the "
                + "store's byte limit to keep it"
        )
    }

    fileprivate static var writerClosed: StoreError {
        StoreError(.closed, message: "the response was committed, abandoned or refused before; begin another one")
    }
}
