internal import Synchronization

/// Who reads the changes of a store: for stores to hold and to tell.
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

    /// Hears of what is told, before the readers do.
    package struct Listener: Sendable {
        let keys: @Sendable ([EntityKey]) -> Void
        let all: @Sendable (_ isMeant: (Account?) -> Bool) -> Void

        package init(
            keys: @escaping @Sendable ([EntityKey]) -> Void, all: @escaping @Sendable ((Account?) -> Bool) -> Void
        ) {
            self.keys = keys
            self.all = all
        }
    }

    private let state = Mutex(State())
    private let listeners = Mutex<[UInt64: Listener]>([:])

    public init() {}

    /// Has a store hear of what others tell here.
    ///
    /// - Returns: the number of the listener, by which the store tells of its own commits.
    package func listen(_ listener: Listener) -> UInt64 {
        listeners.withLock { listeners in
            let id = UInt64(listeners.count + 1)
            listeners[id] = listener
            return id
        }
    }

    /// Tells what a listener has committed itself.
    package func tell(_ keys: some Sequence<EntityKey>, from listener: UInt64?) {
        for (id, other) in listeners.withLock({ $0 }) where id != listener { other.keys(Array(keys)) }
        send(keys)
    }

    /// Tells that a listener has removed these accounts itself.
    package func tellAll(of isMeant: (Account?) -> Bool, from listener: UInt64?) {
        for (id, other) in listeners.withLock({ $0 }) where id != listener { other.all(isMeant) }
        sendAll(of: isMeant)
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

    /// Nobody reads: what has changed needs not be found out.
    public var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

    /// These were put or removed. To be called when the commit is there for every reader, and before it returns.
    public func tell(_ keys: some Sequence<EntityKey>) {
        tell(keys, from: nil)
    }

    private func send(_ keys: some Sequence<EntityKey>) {
        var touched: [EntityKey: Set<EntityKey>] = [:]
        for key in keys { touched[key.scope, default: []].insert(key) }
        for (scope, keys) in touched {
            for subscription in subscriptions({ $0 == scope }) { subscription.add(.keys(keys)) }
        }
    }

    /// Anything of these accounts may have changed: a purge, or a commit of another process.
    public func tellAll(of isMeant: (Account?) -> Bool) {
        tellAll(of: isMeant, from: nil)
    }

    private func sendAll(of isMeant: (Account?) -> Bool) {
        for subscription in subscriptions({ isMeant($0.account) }) { subscription.add(.all) }
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
