import Synchronization
import Testing
import WharfCache
import WharfCore
import WharfTesting

/// Stores that break a law each: the laws must be able to fail.
@Suite struct CacheStoreLawMutantTests {
    static let ghost = StoredHead(
        response: HTTPResponse(status: .ok), requestedAt: .distantPast, respondedAt: .distantPast
    )

    @Test(arguments: MutantStore.Fault.allCases)
    func aStoreThatBreaksALawIsCaught(fault: MutantStore.Fault) async throws {
        let law = try #require(CacheStoreLaws.all.first { $0.name == fault.law })
        await #expect(throws: LawViolation.self) {
            try await law.check(.init("mutant") { limit in MutantStore(fault, byteLimit: limit) })
        }
    }

    @Test(arguments: CacheStoreLaws.all.suffix(2))
    func aStoreThatForgetsWhenItIsReopenedIsCaught(law: Law<CacheStoreLaws.Subject>) async throws {
        await #expect(throws: LawViolation.self) {
            try await law.check(
                .init("mutant", reopen: { _ in MemoryCacheStore() }) { limit in MemoryCacheStore(byteLimit: limit) }
            )
        }
    }
}

struct MutantStore: CacheStore {
    enum Fault: String, CaseIterable, Sendable {
        case showsAtBegin, replacesAtBegin, showsAtAppend, writesAfterItsEnd, losesBytes, mergesFields
        case ignoresVarying, replacesAllVariants, ordersOldestFirst, givesNewestBody, asksTwice, ignoresAccount,
            reusesIDs
        case losesBodyOnUpdate, bringsBackOnUpdate, removesTheWholeKey, removesNothing, removesAllAccounts
        case evictsByAge, ignoresTheLimit, makesRoomForTheRefused, neverFrees

        /// One of the laws that it breaks.
        var law: String {
            switch self {
            case .showsAtBegin: "nothing is visible before the commit, and all of it after"
            case .replacesAtBegin: "what is kept stays readable until its successor is committed"
            case .showsAtAppend: "a writer that is let go leaves nothing"
            case .writesAfterItsEnd: "a writer takes nothing after its end"
            case .losesBytes: "a body is given whole and unchanged"
            case .mergesFields: "fields are kept in their order, doubled ones too, and times to the nanosecond"
            case .ignoresVarying, .replacesAllVariants:
                "a commit replaces the variant with the same varying, and no other"
            case .ordersOldestFirst: "variants come the most recently stored first"
            case .givesNewestBody, .asksTwice: "lookup gives the body of the variant that was selected, and asks once"
            case .ignoresAccount: "keys that differ in account, method or target are apart"
            case .reusesIDs: "an id is never used again"
            case .losesBodyOnUpdate: "an update changes the head and keeps the body, the id and the others"
            case .bringsBackOnUpdate: "an update of a response that is gone does nothing"
            case .removesTheWholeKey: "removing one variant leaves the others"
            case .removesNothing: "removing a key removes all its variants, and no other key"
            case .removesAllAccounts: "removing an account removes what it read, and nothing else"
            case .evictsByAge: "the least recently looked up goes first when the limit is passed"
            case .ignoresTheLimit: "what is kept stays below the limit"
            case .makesRoomForTheRefused: "a response beyond the limit is refused and takes nothing away"
            case .neverFrees: "room is freed by what is replaced or removed"
            }
        }
    }

    private final class Shared: Sendable {
        let base: Mutex<MemoryCacheStore>
        let bodies = Mutex<[StoredResponse.ID: [UInt8]]>([:])
        init(_ store: MemoryCacheStore) { base = Mutex(store) }
    }

    let fault: Fault
    private let limit: Int
    private let shared: Shared

    init(_ fault: Fault, byteLimit: Int) {
        self.fault = fault
        self.limit = fault == .ignoresTheLimit ? .max : byteLimit
        self.shared = Shared(MemoryCacheStore(byteLimit: limit))
    }

    private var base: MemoryCacheStore { shared.base.withLock { $0 } }

    private func keyed(_ key: CacheKey) -> CacheKey {
        fault == .ignoresAccount ? CacheKey(method: key.method, target: key.target) : key
    }

    func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> StoredResponse.ID?
    ) async throws(StoreError) -> CacheLookup {
        if fault == .asksTwice { _ = select([]) }
        if fault == .givesNewestBody {
            return try await base.lookup(keyed(key)) { all in select(all).flatMap { _ in all.first?.id } }
        }
        if fault == .evictsByAge {
            // The body is given without the store's noticing, so the order stays that of storing.
            var found = try await base.lookup(keyed(key)) { _ in nil }
            found.body = select(found.variants).flatMap { id in shared.bodies.withLock { $0[id] } }.map {
                BodyStream($0)
            }
            return found
        }
        var found = try await base.lookup(keyed(key), select: select)
        if fault == .ordersOldestFirst { found.variants.reverse() }
        return found
    }

    func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        var head = head
        if fault == .ignoresVarying { head.varying = [:] }
        if fault == .mergesFields {
            for field in head.response.headerFields {
                head.response.headerFields[field.name] = head.response.headerFields[field.name]
            }
        }
        if fault == .replacesAtBegin { try await base.removeAll(under: key) }
        if fault == .showsAtBegin { _ = try await base.begin(key, head).commit() }
        return MutantWriter(self, keyed(key), head, try await base.begin(keyed(key), head))
    }

    func update(_ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead) async throws(StoreError) {
        if fault == .losesBodyOnUpdate || fault == .bringsBackOnUpdate {
            _ = try await base.begin(keyed(key), head).commit()
        } else {
            try await base.update(id, under: keyed(key), to: head)
        }
    }

    func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
        if fault == .neverFrees {
            // Its room stays taken, by something that nobody finds.
            let body = shared.bodies.withLock { $0[id] } ?? []
            try await append(CacheKey(method: "ghost", target: "\(id)"), CacheStoreLawMutantTests.ghost, body)
        }
        if fault == .removesTheWholeKey { return try await removeAll(under: key) }
        try await base.remove(id, under: keyed(key))
    }

    func removeAll(under key: CacheKey) async throws(StoreError) {
        if fault == .removesNothing { return }
        if fault == .reusesIDs { shared.base.withLock { $0 = MemoryCacheStore(byteLimit: limit) } }
        try await base.removeAll(under: keyed(key))
    }

    func removeAll(of account: Account?) async throws(StoreError) {
        if fault == .removesAllAccounts {
            shared.base.withLock { $0 = MemoryCacheStore(byteLimit: limit) }
        }
        try await base.removeAll(of: account)
    }

    fileprivate func append(_ key: CacheKey, _ head: StoredHead, _ body: [UInt8]) async throws(StoreError) {
        let writer = try await base.begin(key, head)
        try await writer.append(body)
        _ = try await writer.commit()
    }

    fileprivate func willCommit(_ key: CacheKey) async throws(StoreError) {
        if fault == .replacesAllVariants { try await base.removeAll(under: key) }
    }

    fileprivate func didCommit(_ id: StoredResponse.ID, _ body: [UInt8]) {
        shared.bodies.withLock { $0[id] = body }
    }

    fileprivate func wasRefused() async throws(StoreError) {
        if fault == .makesRoomForTheRefused { try await base.removeAll(of: nil) }
    }
}

private final class MutantWriter: CacheWriter {
    private let store: MutantStore
    private let key: CacheKey
    private let head: StoredHead
    private let base: any CacheWriter
    private let body = Mutex<[UInt8]>([])
    private let committed = Mutex<StoredResponse.ID?>(nil)

    init(_ store: MutantStore, _ key: CacheKey, _ head: StoredHead, _ base: any CacheWriter) {
        self.store = store
        self.key = key
        self.head = head
        self.base = base
    }

    func append(_ bytes: [UInt8]) async throws(StoreError) {
        let isDone = committed.withLock { $0 } != nil
        if store.fault == .writesAfterItsEnd, isDone { return }
        if store.fault == .showsAtAppend { try await store.append(key, head, bytes) }
        // A piece that is not the first loses a byte, as a wrong offset would do.
        let isLater = body.withLock { body in
            defer { body += bytes }
            return !body.isEmpty
        }
        do {
            try await base.append(store.fault == .losesBytes && isLater ? Array(bytes.dropFirst()) : bytes)
        } catch {
            try await store.wasRefused()
            throw error
        }
    }

    func commit() async throws(StoreError) -> StoredResponse.ID {
        if store.fault == .writesAfterItsEnd, let id = committed.withLock({ $0 }) { return id }
        try await store.willCommit(key)
        let id = try await base.commit()
        committed.withLock { $0 = id }
        store.didCommit(id, body.withLock { $0 })
        return id
    }

    func abandon() { base.abandon() }
}
