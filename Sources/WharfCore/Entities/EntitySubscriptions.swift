internal import Synchronization

/// The readers of a store's changes: for a store to hold and to tell.
public final class EntitySubscriptions: Sendable {
    private struct Entry {
        let scope: EntityKey
        weak var subscription: EntityChanges.Subscription?
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// By ``EntityKey/scope``.
        var byScope: [EntityKey: Set<UInt64>] = [:]
        var last: UInt64 = 0
        var isFinished = false
    }

    /// Numbers what is told without a version, before the readers hear of it.
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

    public init() {}

    /// Has a store without versions of its own number what others tell here.
    ///
    /// - Returns: the number of the listener, by which the store tells of its own commits.
    package func listen(_ listener: Listener) -> Int {
        listeners.withLock { listeners in
            listeners.append(listener)
            return listeners.count - 1
        }
    }

    /// Tells that keys were put or removed by a commit that got these versions.
    ///
    /// Call it when the commit is there for every reader, and before it returns.
    ///
    /// - Parameter listener: the store that has numbered the commit itself. Other listeners number
    ///   it as well, and each reader hears of the highest version.
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

    /// Tells that keys were put or removed, each by the commit of its version.
    package func tell(_ versions: [EntityKey: StoreVersion]) {
        var touched: [EntityKey: [EntityKey: StoreVersion]] = [:]
        for (key, version) in versions { touched[key.scope, default: [:]][key] = version }
        for (scope, keys) in touched {
            for subscription in subscriptions({ $0 == scope }) { subscription.add(.keys(keys)) }
        }
    }

    /// Tells that anything of an account may have changed up to a version.
    ///
    /// - Parameter listener: the store that has numbered the change itself.
    package func tellAll(of account: Account?, at version: StoreVersion, from listener: Int? = nil) {
        let versions = numbered([account: version], except: listener) { $0.all { $0 == account } }
        let version = versions[account] ?? version
        for subscription in subscriptions({ $0.account == account }) { subscription.add(.all(version)) }
    }

    /// Tells that the store could not be read: what readers hold may be old.
    package func tellDoubt() {
        for subscription in subscriptions({ _ in true }) { subscription.add(.all(nil)) }
    }

    /// A subscription that has begun at return. After ``finish()`` one that has ended.
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

    /// Whether there are no readers: then a store need not find out which keys have changed.
    public var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

    /// Tells that keys were put or removed past the store: by the app's own stack, or another
    /// process.
    ///
    /// Call it when the change is there for every reader.
    public func tell(_ keys: some Sequence<EntityKey>) {
        tell(keys, at: [:])
    }

    /// Tells that anything of these accounts may have changed past the store.
    public func tellAll(of isMeant: (Account?) -> Bool) {
        let versions = numbered([:], except: nil) { $0.all(isMeant) }
        for account in accounts where isMeant(account) {
            let version = versions[account]
            for subscription in subscriptions({ $0.account == account }) { subscription.add(.all(version)) }
        }
    }

    /// Ends all subscriptions: the store is closed.
    public func finish() {
        state.withLock { $0.isFinished = true }
        for subscription in subscriptions({ _ in true }) { subscription.finish() }
    }

    private func subscriptions(_ isMeant: (EntityKey) -> Bool) -> [EntityChanges.Subscription] {
        // Handed out and not called under the lock: to let go of the last reference takes it again.
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
