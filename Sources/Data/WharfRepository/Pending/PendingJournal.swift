internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The journal in which a repository's changes wait, folded into the pending changes.
///
/// It folds in entries of other processes, and settlements by other processes, by limits or by a
/// person.
final class PendingJournal<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let outbox: any Outbox
    let coding: ModelCoding<Model>
    let pending: PendingChanges<Model>
    /// The store of the models, which has the answers to additions.
    let entities: any EntityStore
    let queue: WriteQueue
    private let clock: any WallClock
    /// The clock of pauses.
    let timer: any Clock<Duration>

    // Only turns of the write queue and `restore` move the cursor, so no two reads of new entries
    // overlap.
    /// The position of the last entry that was read.
    private let cursor = Mutex<Int64?>(nil)
    private let restoring = Mutex<Task<Result<Void, StoreError>, Never>?>(nil)
    private let isRestored = Atomic(false)
    private let isFollowed = Atomic(false)
    private let follower = Mutex<Task<Void, Never>?>(nil)

    init(
        _ outbox: any Outbox, _ coding: ModelCoding<Model>, _ pending: PendingChanges<Model>,
        in entities: any EntityStore, _ queue: WriteQueue, _ configuration: RepositoryConfiguration
    ) {
        (self.outbox, self.coding, self.pending) = (outbox, coding, pending)
        (self.entities, self.queue) = (entities, queue)
        (clock, timer) = (configuration.clock, configuration.timer)
    }

    deinit { follower.withLock { $0?.cancel() } }

    var store: any WriteStore { outbox.store }

    private var kind: EntityKind<Model> { coding.kind }

    // MARK: Restoring

    /// Shows the changes that waited when the process began, and follows the journal.
    ///
    /// The changes are read once for all callers, and again after a failure.
    func restore() async throws(StoreError) {
        follow()
        if isRestored.load(ordering: .acquiring) { return }
        let task = restoring.withLock { restoring in
            if let restoring { return restoring }
            // Detached, because a cancelled caller must not end the task for the others.
            let task = Task.detached(executorPreference: queue.executor) { [self] in
                await Result(of: readFirst)
            }
            restoring = task
            return task
        }
        try await task.value.get()
    }

    private func readFirst() async throws(StoreError) {
        do throws(StoreError) {
            try await readNew()
            // Only without open changes: a chain may still decide with which tag the next one is
            // sent.
            if pending.read(\.openCount) == 0 { await removeOldRecords() }
            // Last, so that the first pending states that observers see are complete.
            pending.restored()
            // Pairs with the acquiring load: a caller that sees it also sees the restored changes.
            isRestored.store(true, ordering: .releasing)
        } catch {
            // Cleared before the failure is returned. A caller that tries again must not join the
            // failed task.
            restoring.withLock { $0 = nil }
            throw error
        }
    }

    /// Removes chains, and answers to additions, that are more than a day old.
    ///
    /// Called if no change waits. A younger row may belong to a change that is on its way into the
    /// journal.
    private func removeOldRecords() async {
        do throws(StoreError) {
            let now = clock.now()
            var rows: [EntityRow] = []
            for kind in [ValidatorChain.kind(of: kind.name), AnsweredAddition.kind(of: kind.name)] {
                rows += try await entities.rows(RowQuery(), of: coding.account, kind: kind)
            }
            let old = rows.filter { now - $0.asOf > .seconds(86_400) }.map { EntityChange.remove($0.key) }
            if !old.isEmpty, !queue.isEnded { try await entities.commit(old) }
        } catch {
            _ = coding.failed(error, "delete old records of delivered changes of \(kind.name)")
        }
    }

    // MARK: Following

    /// Follows the journal from now on, in one task. The task is cancelled by `deinit`.
    func follow() {
        // The exchange decides which of two callers subscribes. Two followers would read each entry
        // twice.
        guard !isFollowed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Subscribed before the first look: a commit between the two is not lost.
        let notifications = store.notifications()
        // Weak: the task must not keep the journal alive, because `deinit` cancels the task.
        let task = Task.detached(executorPreference: queue.executor) { [weak self] in
            await self?.look()
            for await _ in notifications {
                guard let self else { return }
                await look()
            }
        }
        follower.withLock { $0 = task }
    }

    /// Folds in the outcomes of the pending changes.
    ///
    /// It retries with backoff while the store fails.
    private func look() async {
        var backoff = StoreBackoff()
        while true {
            do throws(StoreError) {
                try await restore()
                return try await queue.turn { [self] () throws(StoreError) in try await lookInTurn() }
            } catch {
                // A closed store has no more news.
                if error.code == .closed { return }
                _ = coding.failed(error, "look up the outcomes of waiting changes of \(kind.name), and is asked again")
            }
            guard await backoff.wait(on: timer) else { return }
        }
    }

    private func lookInTurn() async throws(StoreError) {
        // No count tells that another process has coalesced an edit into an entry. So all entries
        // are read again.
        if kind.coalescesEdits { cursor.withLock { $0 = nil } }
        try await readNew()
        let counts = try await store.counts(of: coding.account)
        let (open, dead) = (counts.pending[coding.route] ?? 0, counts.dead[coding.route] ?? 0)
        // The counts decide, so that most news costs no read of each entry. All entries up to the
        // cursor are known. So if as many are open here as in the journal, they are the same ones.
        if pending.read(\.openCount) < open { try await readNew() }
        // Dead letters come first, because one that was retried is open again. The first 16 are
        // compared in any case: if one was retried and another one died, the count is the same.
        if pending.read(\.deadCount) > 0 {
            for (number, entry) in pending.read({ $0.entries(in: [.dead]) }).enumerated()
            where number < 16 || pending.read(\.deadCount) > dead {
                try await compare(entry)
            }
        }
        // The changes that this repository has sent come first, then the oldest.
        for phases in [[.decided], [.waiting, .sending]] as [Set<PendingChange<Model>.Phase>]
        where pending.read(\.openCount) > open {
            for entry in pending.read({ $0.entries(in: phases) })
            where pending.read({ $0.openCount > open && $0.changes[entry] != nil }) {
                try await compare(entry)
            }
        }
    }
}

// MARK: Folding

extension PendingJournal {
    /// Folds in the entries that have come to the journal since the last look.
    func readNew() async throws(StoreError) {
        while true {
            let records = try await store.records(
                of: coding.account, kind: coding.route.kind, after: cursor.withLock { $0 }, limit: 500)
            try await take(records)
            guard let last = records.last else { return }
            // Moved after the records are folded in. After a failure in between, they are read
            // again, which has no effect.
            cursor.withLock { $0 = last.position }
        }
    }

    /// Folds in an entry that is not known yet, and the entries before it.
    ///
    /// - Returns: whether the journal still has the entry. For a known entry the journal is not
    ///   asked.
    @discardableResult
    func readUp(to entry: OutboxEntry.ID) async throws(StoreError) -> Bool {
        if pending.change(entry) == nil { try await readNew() }
        return pending.change(entry) != nil
    }

    /// Folds in records in the order of the journal.
    ///
    /// An addition is folded in with its stored answer.
    private func take(_ records: [OutboxRecord]) async throws(StoreError) {
        let additions = records.filter { record in
            record.states[coding.route.destination]?.isOpen == true
                && WaitingChange(record.entry.payload)?.operation == .add
        }
        let answers = try await answers(to: additions.map(\.entry.id))
        for record in records {
            guard let answer = answers[record.entry.id] else {
                take(try await identified(record))
                continue
            }
            let addition = coding.change(record.entry, at: .journal(record.position))
            // In one step. Between two steps the addition would be shown beside the row of its
            // answer.
            pending.apply([.recorded(addition)] + (try await events(answer, toAdditionOf: addition.key.id)))
        }
    }

    /// Folds in the outcome of a known change.
    func compare(_ entry: OutboxEntry.ID) async throws(StoreError) {
        let record = try await store.record(of: entry)
        if let record, take(try await identified(record)) { return }
        // The settlement was folded in meanwhile.
        guard let gone = pending.change(entry) else { return }
        var events = [PendingEvent<Model>.settled(entry)]
        if gone.content.isAddition, let given = try await assigned(to: gone.key.id) {
            events += try await moved(gone.key.id, to: given)
        }
        pending.apply(events)
        // The states are folded in first. The outbox may know the outcome better, so its listener
        // goes first.
        pending.fulfil(entry, outcome(record?.states[coding.route.destination], nil), unlessHeard: true)
    }

    /// Folds in a record.
    ///
    /// - Returns: false if its entry is neither open nor a dead letter.
    @discardableResult
    func take(_ record: OutboxRecord) -> Bool {
        let (entry, place) = (record.entry, PendingChange<Model>.Position.journal(record.position))
        switch record.states[coding.route.destination] {
        case .waiting?: pending.apply(.recorded(coding.change(entry, at: place)))
        case .pending(_, _, let failure)?: pending.apply(.recorded(coding.change(entry, .waiting, failure, at: place)))
        case .dead(let attempts, let failure)?:
            pending.apply(.recorded(coding.change(entry, .dead, failure, at: place)))
            let theirs = pending.change(entry.id)?.theirs
            pending.fulfil(entry.id, outcome(.dead(attempts: attempts, failure), theirs))
        default: return false
        }
        return true
    }

    /// Returns the outcome of a change whose entry has a state; nil for an entry that is gone.
    func outcome(_ state: OutboxRecord.State?, _ theirs: Snapshot<Model>?) -> WriteOutcome<Model> {
        switch state {
        case .dead(_, let failure) where failure.code == .conflict:
            .conflict(theirs: theirs ?? Snapshot(kept: nil, error: .nothingKept))
        case .dead(_, let failure): .rejected(WriteFailure(failure))
        case .dropped, .discarded: .rejected(.discarded(kind.name))
        case .delivered: .delivered(nil)
        case .unneeded, .waiting, .pending, nil: .unknown(.decidedElsewhere(kind.name))
        }
    }
}

extension WriteFailure {
    fileprivate static func decidedElsewhere(_ kind: String) -> WriteFailure {
        WriteFailure(
            .notDelivered,
            message: "another process has settled the change of \(kind), and its outcome is unknown; read the model "
                + "again to see")
    }

    fileprivate static func discarded(_ kind: String) -> WriteFailure {
        WriteFailure(.notDelivered, message: "the change of \(kind) was discarded from the outbox; nothing was written")
    }
}
