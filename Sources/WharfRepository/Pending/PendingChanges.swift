internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// The pending changes of a repository: the only projection of its journal's entries.
///
/// Tells the caches of models whose shown value changes, and the observers of pending states.
final class PendingChanges<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// A caller that may wait for the outcome of a change.
    private struct Receipt {
        let outcome = Promise<WriteOutcome<Model>>()
        /// Whether a task waits for what the outbox says.
        var isHeard = false
    }

    private struct Guarded {
        var state = State()
        /// By entry, until the outcome is known.
        var receipts: [OutboxEntry.ID: Receipt] = [:]
        /// Whether the journal was read.
        var isRestored = false
        var localCount = 0
    }

    private let guarded = Mutex(Guarded())
    private let models = EntityChanges.Subscription {}
    private let lists = EntityChanges.Subscription {}
    private let pages = EntityChanges.Subscription {}
    private let queries = EntityChanges.Subscription {}
    /// The models whose shown value changes.
    let changes: EntityChanges
    /// The same for lists: another subscription, because one cache follows each.
    let listChanges: EntityChanges
    /// The same for pages of lists.
    let pageChanges: EntityChanges
    /// The same for queries over the store.
    let queryChanges: EntityChanges
    /// Whether the pending states are known; set again whenever one of them changes.
    let known = Broadcast(false)

    init() {
        (changes, listChanges, pageChanges) = (EntityChanges(models), EntityChanges(lists), EntityChanges(pages))
        queryChanges = EntityChanges(queries)
    }

    deinit { known.end() }

    /// The state as it is now.
    var current: State { guarded.withLock { $0.state } }

    func read<Value>(_ body: (State) -> Value) -> Value { guarded.withLock { body($0.state) } }

    func apply(_ events: PendingEvent<Model>...) { apply(events) }

    /// Takes in several events as one step: no reader sees some of them only.
    func apply(_ events: [PendingEvent<Model>]) { apply(events, unless: { _ in false }) }

    /// Takes in a change that has just been committed to the journal, unless its outcome is known
    /// by now.
    ///
    /// Another process may settle it, and the outbox tell that, before its maker comes here. It
    /// would then be shown as waiting although the journal has it no more. The maker takes the
    /// receipt before the commit.
    func begin(_ change: PendingChange<Model>) {
        apply([.begun(change)], unless: { $0.receipts[change.entry] == nil })
    }

    private func apply(_ events: [PendingEvent<Model>], unless isKnown: (Guarded) -> Bool) {
        let (news, isTold) = guarded.withLock { guarded in
            if isKnown(guarded) { return (State.News(), false) }
            let number = guarded.state.told.number
            for event in events { guarded.state.apply(event) }
            let news = guarded.state.news
            guarded.state.news = .init()
            return (news, guarded.isRestored && guarded.state.told.number != number)
        }
        if !news.keys.isEmpty {
            models.add(.keys(news.keys))
            for list in [lists, pages, queries] {
                list.add(news.isOfAnyList ? .all(news.keys.values.max()) : .keys(news.keys))
            }
        }
        if isTold { known.set(true) }
    }

    /// The journal was read: from now on its states are told.
    func restored() {
        guarded.withLock { $0.isRestored = true }
        known.set(true)
    }

    /// An id for a write that is in no journal.
    func newID() -> OutboxEntry.ID {
        guarded.withLock { guarded in
            guarded.localCount += 1
            return OutboxEntry.ID("local \(guarded.localCount)")
        }
    }

    // MARK: Looking

    func change(_ entry: OutboxEntry.ID) -> PendingChange<Model>? { read { $0.changes[entry] } }

    /// The changes that are shown over a model.
    func shown(_ id: String) -> ShownChanges { read { $0.shown(id) } }

    /// The changes of a model that the service has not decided, shown or not, the earliest first.
    func open(_ id: String) -> [PendingChange<Model>] { read { $0.open(id) } }

    // MARK: Outcomes

    /// The outcome of a change, for its caller.
    func receipt(of entry: OutboxEntry.ID) -> Promise<WriteOutcome<Model>> {
        guarded.withLock { guarded in
            let receipt = guarded.receipts[entry] ?? Receipt()
            guarded.receipts[entry] = receipt
            return receipt.outcome
        }
    }

    /// Ends the receipt of a change that did not get into the journal.
    func dropReceipt(of entry: OutboxEntry.ID) { guarded.withLock { $0.receipts[entry] = nil } }

    /// Whether this call is the first for an outcome that is not known: then its caller has to ask
    /// the outbox.
    func startHearing(_ entry: OutboxEntry.ID) -> Bool {
        guarded.withLock { guarded in
            guard guarded.receipts[entry]?.isHeard == false else { return false }
            guarded.receipts[entry]?.isHeard = true
            return true
        }
    }

    /// Delivers the outcome to the callers that wait.
    ///
    /// - Parameter unlessHeard: leaves it to the outbox, where that is asked: it may know more.
    func fulfil(_ entry: OutboxEntry.ID, _ outcome: WriteOutcome<Model>, unlessHeard: Bool = false) {
        let receipt = guarded.withLock { guarded -> Receipt? in
            if unlessHeard, guarded.receipts[entry]?.isHeard == true { return nil }
            return guarded.receipts.removeValue(forKey: entry)
        }
        receipt?.outcome.fulfil(outcome)
    }
}
