import Synchronization
import WharfCache
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStorage

extension CacheStoreMutants {
    static let limits: [Mutant] = [
        mutant(.goesByAge, breaks: "the least recently used response is evicted first when the limit is passed"),
        mutant(.doesNotCountWhatIsLong, breaks: "the kept responses stay below the limit"),
        mutant(.doesNotCountHeads, breaks: "bodies without a byte count toward the limit by their heads"),
        mutant(.makesRoomForTheRefused, breaks: "a response beyond the limit is refused and takes nothing away"),
        mutant(.doesNotFreeWhatIsRemoved, breaks: "replaced and removed responses free their room"),
    ]

    private static func mutant(_ fault: Ledger.Fault, breaks law: String) -> Mutant {
        Mutant(
            breaks: law,
            .init("\(fault)") { limit in
                var store = WrongCacheStore(MemoryCacheStore(byteLimit: .max))
                store.keeps(Ledger(fault, limit))
                return store
            })
    }
}

/// The accounting of a size-limited store, correct except for its fault.
private final class Ledger: Sendable {
    enum Fault: Sendable {
        case goesByAge, doesNotCountWhatIsLong, doesNotCountHeads, makesRoomForTheRefused, doesNotFreeWhatIsRemoved
    }

    struct Entry {
        let key: CacheKey
        let id: StoredResponse.ID
        let cost: Int
    }

    let fault: Fault
    let limit: Int
    /// The entries, the least recently used first.
    private let state = Mutex((entries: [Entry](), lost: 0))

    init(_ fault: Fault, _ limit: Int) { (self.fault, self.limit) = (fault, limit) }

    func touch(_ key: CacheKey, _ id: StoredResponse.ID) {
        guard fault != .goesByAge else { return }
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.key == key && $0.id == id }) else { return }
            state.entries.append(state.entries.remove(at: index))
        }
    }

    /// Drops the matching entries.
    func drop(_ isGone: (Entry) -> Bool, removed: Bool) {
        state.withLock { state in
            if removed, fault == .doesNotFreeWhatIsRemoved {
                state.lost += state.entries.filter(isGone).reduce(0) { $0 + $1.cost }
            }
            state.entries.removeAll(where: isGone)
        }
    }

    /// - Returns: the entries to evict for it.
    func add(_ key: CacheKey, _ id: StoredResponse.ID, length: Int) -> [Entry] {
        if fault == .doesNotCountWhatIsLong, length > 32 << 10 { return [] }
        return state.withLock { state in
            state.entries.append(Entry(key: key, id: id, cost: length + (fault == .doesNotCountHeads ? 0 : 300)))
            var total = state.entries.reduce(state.lost) { $0 + $1.cost }
            var gone: [Entry] = []
            while total > limit, !state.entries.isEmpty {
                let oldest = state.entries.removeFirst()
                gone.append(oldest)
                total -= oldest.cost
            }
            return gone
        }
    }
}

extension WrongCacheStore {
    fileprivate mutating func keeps(_ ledger: Ledger) {
        look = { [base] (key, select) async throws(StoreError) in
            try await base.lookup(key) { all in
                let selection = select(all)
                if let selection { ledger.touch(key, selection.id) }
                return selection
            }
        }
        begin = { [base] (key, head) async throws(StoreError) in
            LimitedWriter(try await base.begin(key, head), key, base, ledger)
        }
        remove = { [base] (id, key) async throws(StoreError) in
            try await base.remove(id, under: key)
            ledger.drop({ $0.key == key && $0.id == id }, removed: true)
        }
        removeKey = { [base] (key) async throws(StoreError) in
            try await base.removeAll(under: key)
            ledger.drop({ $0.key == key }, removed: true)
        }
        removeAccount = { [base] (account) async throws(StoreError) in
            try await base.removeAll(of: account)
            ledger.drop({ $0.key.account == account }, removed: true)
        }
    }
}

private final class LimitedWriter: CacheWriter {
    private let base: any CacheWriter
    private let key: CacheKey
    private let store: MemoryCacheStore
    private let ledger: Ledger
    private let length = Mutex(0)

    init(_ base: any CacheWriter, _ key: CacheKey, _ store: MemoryCacheStore, _ ledger: Ledger) {
        (self.base, self.key, self.store, self.ledger) = (base, key, store, ledger)
    }

    func append(_ bytes: [UInt8]) async throws(StoreError) {
        let length = length.withLock { length in
            length += bytes.count
            return length
        }
        guard length + 300 <= ledger.limit else {
            base.abandon()
            if ledger.fault == .makesRoomForTheRefused { try await store.removeAll(of: nil) }
            throw StoreError(.tooLarge, message: "beyond the limit")
        }
        try await base.append(bytes)
    }

    func commit(as head: StoredHead?) async throws(StoreError) -> StoredResponse.ID {
        let id = try await base.commit(as: head)
        let there = Set(try await store.variants(key).map(\.id))
        ledger.drop({ $0.key == key && !there.contains($0.id) }, removed: false)
        for gone in ledger.add(key, id, length: length.withLock { $0 }) {
            try await store.remove(gone.id, under: gone.key)
        }
        return id
    }

    func abandon() { base.abandon() }
}
