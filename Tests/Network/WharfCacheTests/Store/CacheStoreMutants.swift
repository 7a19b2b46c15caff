import WharfCache
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStorage

/// Cache stores with one defect each.
enum CacheStoreMutants {
    typealias Mutant = LawMutant<CacheStoreLaws.Subject>

    static let all = visibility + bodies + variants + parts + updates + removal + limits + durability + inspection

    /// - Parameters:
    ///   - reopened: returns the store after it is opened again. Other defects are in memory only.
    ///   - spoil: adds the defect to a correct store.
    static func mutant(
        _ description: String, breaks law: String,
        reopened: @escaping @Sendable (MemoryCacheStore) async throws -> MemoryCacheStore = { $0 },
        _ spoil: @escaping @Sendable (inout WrongCacheStore) -> Void
    ) -> Mutant {
        Mutant(
            breaks: law,
            .init(description) { store in
                guard let store = store as? WrongCacheStore else { return store }
                return try await reopened(store.base)
            } _: { limit in
                var store = WrongCacheStore(MemoryCacheStore(byteLimit: limit))
                spoil(&store)
                return store
            })
    }
}

struct WrongCacheStore: CacheStore {
    typealias Select = @Sendable ([StoredResponse]) -> CacheSelection?

    let base: MemoryCacheStore
    var look: @Sendable (CacheKey, Select) async throws(StoreError) -> CacheLookup
    var begin: @Sendable (CacheKey, StoredHead) async throws(StoreError) -> any CacheWriter
    var update: @Sendable (StoredResponse.ID, CacheKey, StoredHead) async throws(StoreError) -> Void
    var remove: @Sendable (StoredResponse.ID, CacheKey) async throws(StoreError) -> Void
    var removeKey: @Sendable (CacheKey) async throws(StoreError) -> Void
    var removeAccount: @Sendable (Account?) async throws(StoreError) -> Void

    init(_ base: MemoryCacheStore) {
        self.base = base
        look = { (key, select) async throws(StoreError) in try await base.lookup(key, select: select) }
        begin = { (key, head) async throws(StoreError) in try await base.begin(key, head) }
        update = { (id, key, head) async throws(StoreError) in try await base.update(id, under: key, to: head) }
        remove = { (id, key) async throws(StoreError) in try await base.remove(id, under: key) }
        removeKey = { (key) async throws(StoreError) in try await base.removeAll(under: key) }
        removeAccount = { (account) async throws(StoreError) in try await base.removeAll(of: account) }
    }

    func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup {
        try await look(key, select)
    }
    func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        try await begin(key, head)
    }
    func update(_ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead) async throws(StoreError) {
        try await update(id, key, head)
    }
    func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) { try await remove(id, key) }
    func removeAll(under key: CacheKey) async throws(StoreError) { try await removeKey(key) }
    func removeAll(of account: Account?) async throws(StoreError) { try await removeAccount(account) }
}

extension MemoryCacheStore {
    func variants(_ key: CacheKey) async throws(StoreError) -> [StoredResponse] {
        try await lookup(key) { _ in nil }.variants
    }

    func put(_ key: CacheKey, _ head: StoredHead, _ body: [UInt8]) async throws(StoreError) {
        let writer = try await begin(key, head)
        try await writer.append(body)
        _ = try await writer.commit()
    }
}

/// A wrapper of a correct writer, with the state of its response.
final class WrongCacheWriter: CacheWriter {
    let base: any CacheWriter
    let text: OpenText
    private let onAppend: @Sendable ([UInt8], OpenText) -> [UInt8]
    private let onCommit: @Sendable () async throws(StoreError) -> Void
    private let onHead: @Sendable (StoredHead?) -> StoredHead?
    private let onAbandon: @Sendable (OpenText) -> Void

    /// - Parameters:
    ///   - append: maps each piece, given the pieces before it.
    ///   - commit: called before the commit.
    ///   - head: maps the head of the commit.
    ///   - abandon: called before an open writer is abandoned.
    init(
        _ base: any CacheWriter, _ text: OpenText,
        append: @escaping @Sendable ([UInt8], OpenText) -> [UInt8] = { bytes, _ in bytes },
        commit: @escaping @Sendable () async throws(StoreError) -> Void = {},
        head: @escaping @Sendable (StoredHead?) -> StoredHead? = { $0 },
        abandon: @escaping @Sendable (OpenText) -> Void = { _ in }
    ) {
        (self.base, self.text) = (base, text)
        (onAppend, onCommit, onHead, onAbandon) = (append, commit, head, abandon)
    }

    func append(_ bytes: [UInt8]) async throws(StoreError) {
        do throws(StoreError) {
            try await base.append(onAppend(bytes, text))
        } catch {
            text.end()
            throw error
        }
        text.append(bytes)
    }

    func commit(as head: StoredHead?) async throws(StoreError) -> StoredResponse.ID {
        if text.isOpen { try await onCommit() }
        // A refused commit ends the writer too.
        defer { text.end() }
        return try await base.commit(as: onHead(head))
    }

    func abandon() {
        if text.isOpen { onAbandon(text) }
        base.abandon()
        text.end()
    }
}
