import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStores

/// Stores with one defect each.
enum EntityStoreMutants {
    typealias Mutant = LawMutant<EntityStoreLaws.Subject>

    static let all = rows + queries + changes + versions + feeds

    /// - Parameters:
    ///   - reopened: returns the store after it is opened again. Other defects are in memory only.
    ///   - spoil: adds the defect to a correct store.
    static func mutant(
        _ description: String, breaks law: String,
        reopened: @escaping @Sendable (MemoryEntityStore) async throws -> MemoryEntityStore = { $0 },
        _ spoil: @escaping @Sendable (inout WrongEntityStore) -> Void
    ) -> Mutant {
        Mutant(
            breaks: law,
            .init(
                description,
                reopen: { store in
                    guard let store = store as? WrongEntityStore else { return store }
                    return try await reopened(store.base)
                }, tombstones: 20
            ) {
                var store = WrongEntityStore()
                spoil(&store)
                return store
            })
    }
}

struct WrongEntityStore: EntityStore {
    let base = MemoryEntityStore(tombstones: 10)
    let feeds = EntityFeedReaders()
    /// The accounts whose feeds are notified of each commit, or nil for the account of the commit.
    var feedAccounts: [Account?]?
    let readers = EntityReaders()
    /// Maps a row that is found by its key or a query.
    var finds: @Sendable (EntityRow) -> EntityRow = { $0 }
    /// Maps the key of a lookup.
    var reads: @Sendable (EntityKey) -> EntityKey = { $0 }
    var rows: @Sendable ([EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow]
    var query: @Sendable (RowQuery, Account?, String) async throws(StoreError) -> [EntityRow]
    var states: @Sendable ([EntityKey]) async throws(StoreError) -> EntityStates
    var list: @Sendable (RowQuery, Account?, String) async throws(StoreError) -> EntityList
    var commit: Commit
    var removeAll: @Sendable (Account?) async throws(StoreError) -> StoreVersion
    var feed: @Sendable (Account?, StoreVersion) -> EntityFeed

    typealias Commit =
        @Sendable ([EntityChange], [EntityKey: StoreVersion]) async throws(StoreError) -> CommitOutcome

    init() {
        let (base, readers) = (base, readers)
        rows = { (keys) async throws(StoreError) in try await base.rows(keys) }
        query = { (query, account, kind) async throws(StoreError) in
            try await base.rows(query, of: account, kind: kind)
        }
        states = { (keys) async throws(StoreError) in try await base.states(of: keys) }
        list = { (query, account, kind) async throws(StoreError) in
            try await base.states(query, of: account, kind: kind)
        }
        commit = { (changes, expected) async throws(StoreError) in
            let outcome = try await base.commit(changes, expecting: expected)
            if case .committed = outcome { readers.tell(changes.map(\.key)) }
            return outcome
        }
        removeAll = { (account) async throws(StoreError) in
            let version = try await base.removeAll(of: account)
            readers.tellAll(of: account)
            return version
        }
        feed = { base.changes(of: $0, since: $1) }
    }

    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try await base.row(reads(key)).map(finds) }
    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] { try await rows(keys) }
    func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow] {
        try await self.query(query, account, kind).map(finds)
    }
    func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates { try await states(keys) }
    func states(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> EntityList {
        try await list(query, account, kind)
    }
    func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try await commit(changes, expected)
    }
    func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion { try await removeAll(account) }
    func changes(of account: Account?, since version: StoreVersion) -> EntityFeed { feed(account, version) }
    func changes(of account: Account?, kind: String) -> EntityChanges { readers.join(account, kind) }
}

extension WrongEntityStore {
    /// Maps the committed changes. Readers are notified of the original ones.
    mutating func commits(_ change: @escaping @Sendable ([EntityChange]) async throws(StoreError) -> [EntityChange]) {
        commit = { [base, readers] (changes, expected) async throws(StoreError) in
            let outcome = try await base.commit(try await change(changes), expecting: expected)
            if case .committed = outcome { readers.tell(changes.map(\.key)) }
            return outcome
        }
    }

    mutating func asks(_ change: @escaping @Sendable (inout RowQuery) -> Void) {
        query = { [base] (query, account, kind) async throws(StoreError) in
            var query = query
            change(&query)
            return try await base.rows(query, of: account, kind: kind)
        }
    }

    /// Maps the keys that readers are notified of.
    mutating func tells(_ change: @escaping @Sendable ([EntityChange]) async -> [EntityKey]) {
        commit = { [base, readers] (changes, expected) async throws(StoreError) in
            let outcome = try await base.commit(changes, expecting: expected)
            if case .committed = outcome { readers.tell(await change(changes)) }
            return outcome
        }
    }
}

/// The readers of a store's changes, notified one by one.
final class EntityReaders: Sendable {
    private struct Reader {
        let scope: EntityKey
        weak var subscription: EntityChanges.Subscription?
    }

    private let readers = Mutex<[Reader]>([])

    func join(_ account: Account?, _ kind: String) -> EntityChanges {
        let subscription = EntityChanges.Subscription {}
        readers.withLock {
            $0.append(Reader(scope: EntityKey(account: account, kind: kind, id: ""), subscription: subscription))
        }
        return EntityChanges(subscription)
    }

    func tell(_ keys: [EntityKey]) {
        tell { scope in
            let keys = Set(keys.filter { $0.scope == scope })
            return keys.isEmpty ? nil : .keys(keys)
        }
    }

    func tellAll(of account: Account?) { tell { $0.account == account ? .all(nil) : nil } }

    func tell(_ news: (_ scope: EntityKey) -> EntityChanges.Pending?) {
        for reader in readers.withLock({ $0 }) {
            if let news = news(reader.scope) { reader.subscription?.add(news) }
        }
    }
}

extension EntityChanges.Pending {
    /// Changes of a store without versions.
    static func keys(_ keys: Set<EntityKey>) -> Self {
        .keys(Dictionary(uniqueKeysWithValues: keys.map { ($0, StoreVersion(1)) }))
    }
}
