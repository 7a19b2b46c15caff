import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStorage
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
    /// The readers from now on, of a store that tells them something else than it commits.
    let news = MutantNews()
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
    var feed: @Sendable (Account?, _ kind: String?, StoreVersion?) -> EntityFeed

    typealias Commit =
        @Sendable ([EntityChange], [EntityKey: StoreVersion]) async throws(StoreError) -> CommitOutcome

    init() {
        let base = base
        rows = { (keys) async throws(StoreError) in try await base.rows(keys) }
        query = { (query, account, kind) async throws(StoreError) in
            try await base.rows(query, of: account, kind: kind)
        }
        states = { (keys) async throws(StoreError) in try await base.states(of: keys) }
        list = { (query, account, kind) async throws(StoreError) in
            try await base.states(query, of: account, kind: kind)
        }
        commit = { (changes, expected) async throws(StoreError) in
            try await base.commit(changes, expecting: expected)
        }
        removeAll = { (account) async throws(StoreError) in try await base.removeAll(of: account) }
        feed = { base.changes(of: $0, kind: $1, since: $2) }
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
    func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        feed(account, kind, version)
    }
}

extension WrongEntityStore {
    /// Maps the committed changes. Readers from now on are notified of the original ones.
    mutating func commits(_ change: @escaping @Sendable ([EntityChange]) async throws(StoreError) -> [EntityChange]) {
        commit = { [commit] (changes, expected) async throws(StoreError) in
            try await commit(try await change(changes), expected)
        }
        tells { changes, news in news.tell(changes.map(\.key)) }
    }

    mutating func asks(_ change: @escaping @Sendable (inout RowQuery) -> Void) {
        query = { [base] (query, account, kind) async throws(StoreError) in
            var query = query
            change(&query)
            return try await base.rows(query, of: account, kind: kind)
        }
    }

    /// Notifies readers from now on of each commit.
    ///
    /// - Parameters:
    ///   - purges: whether they are notified of the removal of their account.
    ///   - ofKind: whether they are notified of their own kind only.
    mutating func tells(
        purges: Bool = true, ofKind: Bool = true,
        _ tell: @escaping @Sendable ([EntityChange], MutantNews) async -> Void
    ) {
        commit = { [commit, news] (changes, expected) async throws(StoreError) in
            let outcome = try await commit(changes, expected)
            if case .committed = outcome { await tell(changes, news) }
            return outcome
        }
        removeAll = { [removeAll, news] (account) async throws(StoreError) in
            let version = try await removeAll(account)
            if purges { news.tellAll(of: [account]) }
            return version
        }
        feed = { [feed, news] account, kind, version in
            version == nil ? news.follow(account, ofKind ? kind : nil) : feed(account, kind, version)
        }
    }
}

/// News of keys for readers from now on.
final class MutantNews: Sendable {
    private let readers = EntityFeedReaders()
    private let last = Mutex(StoreVersion.none)

    func follow(_ account: Account?, _ kind: String?) -> EntityFeed {
        readers.subscribe(to: account, kind: kind, since: nil) { _ in nil }
    }

    func tell(_ keys: [EntityKey]) {
        for account in Set(keys.map(\.account)) { tell(keys.filter { $0.account == account }, to: [account]) }
    }

    func tell(_ keys: [EntityKey], to accounts: [Account?]) {
        if keys.isEmpty { return }
        tell(accounts) { version in
            let changes = keys.map { ($0, EntityFeed.Change(version: version, isRemoval: false)) }
            return .changes(Dictionary(changes) { $1 }, reached: version)
        }
    }

    func tellAll(of accounts: [Account?]) { tell(accounts) { .everything(reached: $0) } }

    private func tell(_ accounts: [Account?], _ element: (StoreVersion) -> EntityFeed.Element) {
        // One number for all accounts, and the version `none`: these readers know of no gap.
        last.withLock { last in
            last = last.next
            for account in accounts { readers.tell(element(last), of: account, since: .none) }
        }
    }
}
