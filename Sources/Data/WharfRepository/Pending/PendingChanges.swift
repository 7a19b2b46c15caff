internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The pending changes of a repository: the only projection of its journal's entries.
///
/// Tells the caches of models whose shown value changes, and the observers of pending states.
final class PendingChanges<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// The promise of a change's outcome, for a caller that may wait for it.
    private struct Receipt {
        let outcome = Promise<WriteOutcome<Model>>()
        /// Whether a task waits for the outbox to tell the outcome.
        var isHeard = false
    }

    private struct Guarded {
        // Invariants while the lock is free: `state.changed` is empty. The receipt of a change of
        // this process exists from before its commit until its outcome is known.
        var state = State()
        /// By entry, until the outcome is known.
        var receipts: [OutboxEntry.ID: Receipt] = [:]
        /// Whether the journal was read.
        var isRestored = false
        var localCount = 0
        /// The last number that the readers of changes were told.
        var told = StoreVersion.none
    }

    private let guarded = Mutex(Guarded())
    private let models = EntityFeed.Reader()
    private let lists = EntityFeed.Reader()
    private let pages = EntityFeed.Reader()
    private let queries = EntityFeed.Reader()
    /// Whether the pending states are known; set again whenever one of them changes.
    let known = Broadcast(false)

    deinit { known.end() }

    /// The models whose shown value changes.
    ///
    /// The versions of the feed are numbers of the state.
    var changes: EntityFeed { EntityFeed(models) }
    /// The same for lists: another feed, because one cache follows each.
    var listChanges: EntityFeed { EntityFeed(lists) }
    /// The same for pages of lists.
    var pageChanges: EntityFeed { EntityFeed(pages) }
    /// The same for queries over the store.
    var queryChanges: EntityFeed { EntityFeed(queries) }

    /// The state as it is now.
    var current: State { guarded.withLock { $0.state } }

    func read<Value>(_ body: (State) -> Value) -> Value { guarded.withLock { body($0.state) } }

    func apply(_ events: PendingEvent<Model>...) { apply(events) }

    /// Applies several events as one step: no reader sees only some of them.
    func apply(_ events: [PendingEvent<Model>]) { apply(events, unless: { _ in false }) }

    /// Applies the beginning of a change that was committed to the journal.
    ///
    /// This has no effect if the outcome is known by now, which a missing receipt tells: the maker
    /// takes the receipt before the commit. Another process may settle the change, and the outbox
    /// may tell that, before its maker comes here. Without this check, the change would be shown as
    /// waiting although the journal no longer has it.
    func begin(_ change: PendingChange<Model>) {
        apply([.begun(change)], unless: { $0.receipts[change.entry] == nil })
    }

    private func apply(_ events: [PendingEvent<Model>], unless isKnown: (Guarded) -> Bool) {
        // All events change the state in one step. A reader between two of them would see a moved
        // change under neither id.
        let (changed, told, isReported) = guarded.withLock { guarded in
            if isKnown(guarded) { return (State.ChangedModels(), StoreVersion.none, false) }
            let number = guarded.state.published.number
            for event in events { guarded.state.apply(event) }
            let changed = guarded.state.changed
            guarded.state.changed = .init()
            let told = guarded.told
            // In the step of the numbers, so that each report begins where the one before ends.
            if let last = changed.keys.values.max() { guarded.told = last }
            return (changed, told, guarded.isRestored && guarded.state.published.number != number)
        }
        // Told outside of the lock, because a report yields to a stream. A look that comes first
        // has seen the number of this news, so the late news changes nothing. Two reports in the
        // wrong order are a gap, after which the readers look at everything.
        if let reached = changed.keys.values.max() {
            let news = EntityFeed.Element.changes(
                changed.keys.mapValues { EntityFeed.Change(version: $0, isRemoval: false) }, reached: reached)
            models.tell(news, since: told)
            for list in [lists, pages, queries] {
                list.tell(changed.isOfAnyList ? .everything(reached: reached) : news, since: told)
            }
        }
        // After the state: a reader that this wakes finds it.
        if isReported { known.set(true) }
    }

    /// Notes that the journal was read. From now on the pending states are told.
    func restored() {
        guarded.withLock { $0.isRestored = true }
        known.set(true)
    }

    /// Returns an id for a write that is in no journal.
    func newID() -> OutboxEntry.ID {
        guarded.withLock { guarded in
            guarded.localCount += 1
            return OutboxEntry.ID("local \(guarded.localCount)")
        }
    }

    // MARK: Looking

    func change(_ entry: OutboxEntry.ID) -> PendingChange<Model>? { read { $0.changes[entry] } }

    /// Returns the changes that are shown over a model.
    func shown(_ id: String) -> ShownChanges { read { $0.shown(id) } }

    /// Returns the undecided changes of a model, shown or not, the earliest first.
    func open(_ id: String) -> [PendingChange<Model>] { read { $0.open(id) } }

    // MARK: Outcomes

    /// Returns the promise of a change's outcome.
    func receipt(of entry: OutboxEntry.ID) -> Promise<WriteOutcome<Model>> {
        guarded.withLock { guarded in
            let receipt = guarded.receipts[entry] ?? Receipt()
            guarded.receipts[entry] = receipt
            return receipt.outcome
        }
    }

    /// Ends the receipt of a change that did not get into the journal.
    func dropReceipt(of entry: OutboxEntry.ID) { guarded.withLock { $0.receipts[entry] = nil } }

    /// Returns whether the caller has to ask the outbox for an outcome.
    ///
    /// This holds for the first call, if the outcome is not known.
    func startHearing(_ entry: OutboxEntry.ID) -> Bool {
        guarded.withLock { guarded in
            // The test and the mark are one step, so that one task listens for all callers.
            guard guarded.receipts[entry]?.isHeard == false else { return false }
            guarded.receipts[entry]?.isHeard = true
            return true
        }
    }

    /// Fulfils the outcome of a change for the callers that wait.
    ///
    /// - Parameter unlessHeard: leaves the outcome to a task that asks the outbox, if there is one.
    ///   The outbox may know more.
    func fulfil(_ entry: OutboxEntry.ID, _ outcome: WriteOutcome<Model>, unlessHeard: Bool = false) {
        let receipt = guarded.withLock { guarded -> Receipt? in
            if unlessHeard, guarded.receipts[entry]?.isHeard == true { return nil }
            return guarded.receipts.removeValue(forKey: entry)
        }
        // Removed under the lock, so that one caller fulfils it.
        receipt?.outcome.fulfil(outcome)
    }
}
