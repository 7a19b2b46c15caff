internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// The outbox that a repository's changes wait in, and where each of them stands.
final class WaitingChanges<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// One that is not settled in the journal, as far as that is known here.
    struct Change: Sendable {
        /// Of the pending write.
        let number: UInt64
        /// Where the journal has it among the others, as far as that is known.
        var order: UInt64
        var key: EntityKey
        /// nil where it can't be read.
        var id: Model.ID?
        /// Those that its model had before.
        var formerIDs: Set<String> = []
        /// Of what it was made on, as the journal has it.
        var validator: String?
        /// See ``WaitingChange/version``; as the journal has it.
        var version: String?
        var isAddition: Bool
        var decision: Promise<WriteOutcome<Model>>
        /// The service has decided, and it is shown no longer; the journal may not know it yet.
        var isDecided = false
        var isSending = false
        /// Why it was not delivered until now, or not taken.
        var failure: DeliveryFailure?
        /// What the service had in its place.
        var theirs: Snapshot<Model>?
        /// Whether somebody hears of its outcome from the outbox.
        var isHeard = false
    }

    /// One that was set aside.
    struct Dead: Sendable {
        /// nil where it can't be read.
        let id: Model.ID?
        let failure: DeliveryFailure
        /// The place that it goes back to when it is attempted again.
        var order: UInt64
    }

    struct State {
        var changes: [OutboxEntry.ID: Change] = [:]
        /// In the order in which they came, with some that have gone.
        var order: [OutboxEntry.ID] = []
        var decided: Set<OutboxEntry.ID> = []
        var dead: [OutboxEntry.ID: Dead] = [:]
        /// Why nothing is sent now; nil when the last attempt reached the service.
        var unreached: DeliveryFailure?
        /// How far the journal was read.
        var last: OutboxEntry.ID?
        /// Of each model, what waits and what was set aside.
        var standings: [Model.ID: Standings] = [:]
        /// How many have come.
        var count: UInt64 = 0
        /// What is told of them.
        var told = Told()
    }

    /// Where the changes of each model stand, and how often any stood elsewhere.
    struct Told {
        var states: [Model.ID: PendingState] = [:]
        var number: UInt64 = 0
    }

    let outbox: any Outbox
    private let state = Mutex(State())
    /// Whether they are known; set again whenever one of them stands elsewhere.
    let known = Broadcast(false)
    private let restoring = Mutex<Task<Result<Void, StoreError>, Never>?>(nil)
    private let isRestored = Atomic(false)
    private let isFollowed = Atomic(false)
    private let follower = Mutex<Task<Void, Never>?>(nil)

    init(_ outbox: any Outbox) { self.outbox = outbox }

    deinit {
        follower.withLock { $0?.cancel() }
        known.end()
    }

    /// Takes in one that waits; what was known of it before is no longer so, but for who waits for its outcome.
    func begin(_ entry: OutboxEntry.ID, _ begun: Change) -> Promise<WriteOutcome<Model>> {
        change { $0.begin(entry, begun) }
    }

    func change(_ entry: OutboxEntry.ID) -> Change? { state.withLock { $0.changes[entry] } }

    /// nil for what was never seen here.
    func order(of entry: OutboxEntry.ID) -> UInt64? {
        state.withLock { $0.changes[entry]?.order ?? $0.dead[entry]?.order }
    }

    /// It stands elsewhere among the others.
    func reorder(_ entry: OutboxEntry.ID, to order: UInt64) { state.withLock { $0.reorder(entry, to: order) } }

    func update(_ entry: OutboxEntry.ID, _ body: (inout Change) -> Void) { change { $0.update(entry, body) } }

    func sending(_ entry: OutboxEntry.ID) { update(entry) { $0.isSending = true } }

    /// What came of an attempt, where it was not the end.
    func answered(_ entry: OutboxEntry.ID, _ failure: DeliveryFailure) {
        change { state in
            state.update(entry) { ($0.isSending, $0.failure) = (false, failure) }
            state.reach(failure.holdsAll ? failure : nil)
        }
    }

    /// The service has decided it.
    ///
    /// - Parameter failure: nil where it was taken.
    func decided(_ entry: OutboxEntry.ID, _ outcome: WriteOutcome<Model>, _ failure: DeliveryFailure?) {
        change { state in
            state.update(entry) { ($0.isDecided, $0.isSending, $0.failure) = (true, false, failure) }
            state.reach(nil)
        }
        change(entry)?.decision.fulfil(outcome)
    }

    /// The journal has it no more.
    ///
    /// - Returns: nil where nothing was known of it.
    func remove(_ entry: OutboxEntry.ID) -> Change? { change { $0.remove(entry) } }

    /// It was set aside.
    ///
    /// - Returns: what was waiting; nil where that was known.
    func bury(_ entry: OutboxEntry.ID, _ dead: Dead) -> Change? { change { $0.bury(entry, dead) } }

    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, isNews) = state.withLock { state in
            let before = state.told.number
            return (body(&state), state.told.number != before)
        }
        if isNews, isRestored.load(ordering: .acquiring) { known.set(true) }
        return value
    }
}

extension WaitingChanges {
    // MARK: What is known of the journal

    var last: OutboxEntry.ID? {
        get { state.withLock { $0.last } }
        set { state.withLock { $0.last = newValue } }
    }

    var openCount: Int { state.withLock { $0.changes.count } }
    var deadCount: Int { state.withLock { $0.dead.count } }

    /// Those of which the service has decided.
    var decided: [OutboxEntry.ID] { state.withLock { Array($0.decided) } }
    /// Those that wait, the earliest first, with some that don't.
    var open: [OutboxEntry.ID] { state.withLock { $0.order } }
    var dead: [OutboxEntry.ID] { state.withLock { Array($0.dead.keys) } }

    /// By the ids of their models.
    var told: Told { state.withLock { $0.told } }

    // MARK: Beginning

    /// Runs `body` once, whoever calls first; again where it failed.
    func restoreOnce(
        on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async throws(StoreError) -> Void
    ) async throws(StoreError) {
        if isRestored.load(ordering: .acquiring) { return }
        let task = restoring.withLock { restoring in
            if let restoring { return restoring }
            // Not the caller's own: others wait for it.
            let task = Task.detached(executorPreference: executor) { [self] in await restore(body) }
            restoring = task
            return task
        }
        try await task.value.get()
    }

    private func restore(_ body: () async throws(StoreError) -> Void) async -> Result<Void, StoreError> {
        do throws(StoreError) {
            try await body()
            isRestored.store(true, ordering: .releasing)
            known.set(true)
            return .success(())
        } catch {
            restoring.withLock { $0 = nil }
            return .failure(error)
        }
    }

    /// Makes the one task that hears of an outcome from the outbox.
    func hearOnce(_ entry: OutboxEntry.ID, _ make: () -> Void) {
        var isFirst = false
        update(entry) { change in
            isFirst = !change.isHeard && !change.isDecided
            change.isHeard = true
        }
        if isFirst { make() }
    }

    /// Makes the one task that follows the journal; it is cancelled when nobody holds this any more.
    func followOnce(_ make: () -> Task<Void, Never>) {
        guard !isFollowed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let task = make()
        follower.withLock { $0 = task }
    }
}
