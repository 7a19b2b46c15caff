internal import Synchronization
public import WharfCore

/// Keeps responses in memory, up to a number of bytes; what was looked up longest ago goes first.
///
/// Heads count as well as bodies: names and values of their fields, the key, and 256 bytes for what
/// surrounds them. A look-up, a commit and an eviction take constant time (in the number of
/// entries; variants of one key are walked).
public final class MemoryCacheStore: CacheStore {
    private let state: Mutex<MemoryShelves>
    private let byteLimit: Int
    private let isEnded = Atomic(false)

    /// - Parameter byteLimit: how many bytes are kept at most. A response that is larger by itself
    ///   is refused.
    public init(byteLimit: Int = 32 << 20) {
        self.byteLimit = max(0, byteLimit)
        self.state = Mutex(MemoryShelves(byteLimit: self.byteLimit))
    }

    public func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> StoredResponse.ID?
    ) async throws(StoreError) -> CacheLookup {
        // A shelf never changes, so it can be read, and the caller's closure run, without the lock.
        guard let shelf = state.withLock({ $0.shelf(key) }) else {
            _ = select([])
            return CacheLookup(variants: [])
        }
        guard let id = select(shelf.variants), let index = shelf.variants.firstIndex(where: { $0.id == id }) else {
            return CacheLookup(variants: shelf.variants)
        }
        state.withLock { $0.touch(shelf.places[index], id) }
        return CacheLookup(variants: shelf.variants, body: BodyStream(shelf.bodies[index]))
    }

    public func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        if isEnded.load(ordering: .acquiring) { throw .ended }
        return MemoryCacheWriter(self, key, head, room: byteLimit - MemoryShelves.cost(key, head))
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

    /// The bytes that are kept now, heads included.
    public var byteCount: Int { state.withLock { $0.total } }

    /// Lets go of everything, and keeps nothing any more.
    package func end() {
        state.withLock { shelves in
            isEnded.store(true, ordering: .releasing)
            shelves = MemoryShelves(byteLimit: byteLimit)
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
                    message: "expected a body of at most \(max(0, room)) bytes, found at least "
                        + "\(body.count + bytes.count); raise the store's byte limit to keep it"
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
            // A head alone may be beyond the limit, and then nothing was appended that could have
            // told.
            try state.append([], room: room)
            return try state.finish()
        }
        return try store.insert(key, head, body)
    }

    func abandon() { state.withLock { $0 = .done } }
}

extension StoreError {
    fileprivate static var ended: StoreError {
        StoreError(.closed, message: "the account of this store was signed out; it keeps nothing any more")
    }

    fileprivate static var writerClosed: StoreError {
        StoreError(.closed, message: "the response was committed, abandoned or refused before; begin another one")
    }
}
