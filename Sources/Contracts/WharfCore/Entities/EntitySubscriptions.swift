internal import Synchronization

/// The readers of a store's changes. A store holds one and reports its changes to it.
public final class EntitySubscriptions: Sendable {
    private struct Entry {
        let scope: EntityKey
        weak var subscription: EntityChanges.Subscription?
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// The ids of the entries, by ``EntityKey/scope``.
        var byScope: [EntityKey: Set<UInt64>] = [:]
        var last: UInt64 = 0
        var isFinished = false
    }

    /// Assigns versions to changes that are reported without one.
    ///
    /// It runs before readers see the changes.
    package struct Listener: Sendable {
        let keys: @Sendable ([EntityKey]) -> [Account?: StoreVersion]
        let all: @Sendable (_ isMeant: (Account?) -> Bool) -> [Account?: StoreVersion]

        package init(
            keys: @escaping @Sendable ([EntityKey]) -> [Account?: StoreVersion],
            all: @escaping @Sendable ((Account?) -> Bool) -> [Account?: StoreVersion]
        ) {
            self.keys = keys
            self.all = all
        }
    }

    private let state = Mutex(State())
    private let listeners = Mutex<[Listener]>([])

    /// Creates an object without readers.
    public init() {}

    /// Adds a listener that numbers the changes reported here.
    ///
    /// A store whose rows have no versions uses it to assign them.
    ///
    /// - Returns: the index of the listener. The store passes it when it reports its own commits.
    package func listen(_ listener: Listener) -> Int {
        listeners.withLock { listeners in
            listeners.append(listener)
            return listeners.count - 1
        }
    }

    /// Reports that keys were put or removed by a commit with these versions.
    ///
    /// Call it after the commit is visible to every reader and before the commit returns.
    ///
    /// - Parameter listener: the store that has already numbered the commit. Other listeners number
    ///   it too, and each reader gets the highest version.
    package func tell(
        _ keys: some Sequence<EntityKey>, at versions: [Account?: StoreVersion], from listener: Int? = nil
    ) {
        let versions = numbered(versions, except: listener) { $0.keys(Array(keys)) }
        tell(Dictionary(keys.map { ($0, versions[$0.account] ?? .none) }) { max($0, $1) })
    }

    private func numbered(
        _ versions: [Account?: StoreVersion], except listener: Int?,
        _ number: (Listener) -> [Account?: StoreVersion]
    ) -> [Account?: StoreVersion] {
        var versions = versions
        for (index, other) in listeners.withLock({ $0 }).enumerated() where index != listener {
            versions.merge(number(other), uniquingKeysWith: max)
        }
        return versions
    }

    /// Reports that keys were put or removed, each by the commit of its version.
    package func tell(_ versions: [EntityKey: StoreVersion]) {
        var touched: [EntityKey: [EntityKey: StoreVersion]] = [:]
        for (key, version) in versions { touched[key.scope, default: [:]][key] = version }
        for (scope, keys) in touched {
            for subscription in subscriptions({ $0 == scope }) { subscription.add(.keys(keys)) }
        }
    }

    /// Reports that any entity of an account may have changed, up to a version.
    ///
    /// - Parameter listener: the store that has already numbered the change.
    package func tellAll(of account: Account?, at version: StoreVersion, from listener: Int? = nil) {
        let versions = numbered([account: version], except: listener) { $0.all { $0 == account } }
        let version = versions[account] ?? version
        for subscription in subscriptions({ $0.account == account }) { subscription.add(.all(version)) }
    }

    /// Reports that the store could not be read, so the readers' data may be outdated.
    package func tellDoubt() {
        for subscription in subscriptions({ _ in true }) { subscription.add(.all(nil)) }
    }

    /// Returns a subscription that is active at once; after ``finish()``, an ended one.
    public func subscribe(to account: Account?, kind: String) -> EntityChanges {
        let scope = EntityKey(account: account, kind: kind, id: "")
        let (subscription, isFinished) = state.withLock { state in
            state.last += 1
            let id = state.last
            let subscription = EntityChanges.Subscription { [weak self] in self?.remove(id) }
            if !state.isFinished {
                state.entries[id] = Entry(scope: scope, subscription: subscription)
                state.byScope[scope, default: []].insert(id)
            }
            return (subscription, state.isFinished)
        }
        if isFinished { subscription.finish() }
        return EntityChanges(subscription)
    }

    /// The accounts whose changes have readers.
    package var accounts: Set<Account?> { state.withLock { Set($0.byScope.keys.lazy.map(\.account)) } }

    /// Whether there are no readers. A store then need not find out which keys have changed.
    public var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

    /// Reports keys that the app or another process changed without this store.
    ///
    /// Call it after the change is visible to every reader.
    public func tell(_ keys: some Sequence<EntityKey>) {
        tell(keys, at: [:])
    }

    /// Reports that any entity of these accounts may have changed without this store.
    public func tellAll(of isMeant: (Account?) -> Bool) {
        let versions = numbered([:], except: nil) { $0.all(isMeant) }
        for account in accounts where isMeant(account) {
            let version = versions[account]
            for subscription in subscriptions({ $0.account == account }) { subscription.add(.all(version)) }
        }
    }

    /// Ends all subscriptions, because the store is closed.
    public func finish() {
        state.withLock { $0.isFinished = true }
        for subscription in subscriptions({ _ in true }) { subscription.finish() }
    }

    private func subscriptions(_ isMeant: (EntityKey) -> Bool) -> [EntityChanges.Subscription] {
        // Return the subscriptions and call them outside of the lock: releasing the last reference
        // to one takes the lock again.
        state.withLock { state in
            state.byScope.filter { isMeant($0.key) }.values.joined().compactMap { state.entries[$0]?.subscription }
        }
    }

    private func remove(_ id: UInt64) {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: id) else { return }
            state.byScope[entry.scope]?.remove(id)
            if state.byScope[entry.scope]?.isEmpty == true { state.byScope[entry.scope] = nil }
        }
    }
}
