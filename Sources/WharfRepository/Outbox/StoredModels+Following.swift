internal import WharfCore
internal import WharfPrimitives

// What others settle of changes that wait, and what others add: another process, the limits of the outbox, a person.
extension StoredModels {
    /// Follows the journal from now on, in one task for all that waits.
    func follow(_ waiting: WaitingChanges<Model>) {
        waiting.followOnce {
            // Subscribed before the first look: nothing comes between the two unseen.
            let news = waiting.outbox.store.news()
            var parts = self
            parts.waiting = nil
            return Task.detached(executorPreference: queue.executor) { [parts, weak waiting] in
                await waiting.map(parts.waiting(in:))?.look()
                for await _ in news {
                    guard let waiting else { return }
                    await parts.waiting(in: waiting).look()
                }
            }
        }
    }

    private func waiting(in waiting: WaitingChanges<Model>) -> Self {
        var all = self
        all.waiting = waiting
        return all
    }

    /// Looks what has become of what waits; while the store fails, again and again.
    private func look() async {
        guard let waiting else { return }
        var pauses = StorePauses()
        while true {
            do throws(StoreError) {
                try await restoreWaiting()
                return try await queue.turn { [self] in await lookInTurn(waiting) }.get()
            } catch {
                // Nothing comes of it any more.
                if error.code == .closed { return }
                _ = failed(error, "look what became of changes of \(kind.name) that wait; it is tried again")
            }
            guard await pauses.rest(on: timer) else { return }
        }
    }

    private func lookInTurn(_ waiting: WaitingChanges<Model>) async -> Result<Void, StoreError> {
        do throws(StoreError) {
            try await readNew(in: waiting)
            let counts = try await waiting.outbox.store.counts(of: account)
            let (open, dead) = (counts.pending[route] ?? 0, counts.dead[route] ?? 0)
            // By the numbers, so that most news costs no look at each. Those that were set aside come first, as they may wait
            // again; a few of them whatever the numbers say: one that died since makes up for one that was retried.
            for (number, entry) in waiting.dead.enumerated() where number < 16 || waiting.deadCount > dead {
                try await compare(entry, in: waiting)
            }
            if waiting.openCount < open { try await readNew(in: waiting) }
            if waiting.openCount < open {
                // Ids are made by the clocks of processes: one may stand before those that were read.
                waiting.last = nil
                try await readNew(in: waiting)
            }
            // What this repository has sent is first, then the oldest.
            for known in [waiting.decided, waiting.open] where waiting.openCount > open {
                for entry in known where waiting.openCount > open && waiting.change(entry) != nil {
                    try await compare(entry, in: waiting)
                }
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Takes in what has come to the journal since the last look.
    func readNew(in waiting: WaitingChanges<Model>) async throws(StoreError) {
        while true {
            let records = try await waiting.outbox.store.records(
                of: account, kind: route.kind, after: waiting.last, limit: 500)
            for record in records { take(record, order: pending.nextOrder(), in: waiting) }
            guard let last = records.last else { return }
            waiting.last = last.entry.id
        }
    }

    /// Takes in what came to the journal before one of which somebody else has told.
    func readUp(to entry: OutboxEntry.ID, in waiting: WaitingChanges<Model>) async throws(StoreError) {
        if waiting.order(of: entry) == nil { try await readNew(in: waiting) }
    }

    /// Looks where one stands that was known.
    private func compare(_ entry: OutboxEntry.ID, in waiting: WaitingChanges<Model>) async throws(StoreError) {
        let record = try await waiting.outbox.store.record(of: entry)
        if let record, take(record, in: waiting) { return }
        guard let gone = waiting.remove(entry) else { return }
        if !gone.isDecided { pending.end(gone.number, gone.key) }
        let known = outcome(record?.states[route.destination], nil)
        if !gone.isHeard {
            gone.decision.fulfil(known)
        } else if !gone.isDecided {
            // Who hears of it from the outbox may be told more, where that runs in this process.
            Task.detached(executorPreference: queue.executor) { [timer] in
                do { try await timer.sleep(for: .seconds(1)) } catch { return }
                gone.decision.fulfil(known)
            }
        }
        // Those behind it may have got another id.
        guard gone.isAddition, kind.identify != nil else { return }
        for place in pending.waiting(gone.key.id).compactMap(\.place) { try await compare(place.entry, in: waiting) }
    }

    /// - Parameter order: nil for where it was seen before.
    /// - Returns: false for what neither waits nor was set aside.
    @discardableResult
    func take(_ record: OutboxRecord, order: UInt64? = nil, in waiting: WaitingChanges<Model>) -> Bool {
        let entry = record.entry
        switch record.states[route.destination] {
        case .waiting?: take(entry, nil, order, in: waiting)
        case .pending(_, _, let failure)?: take(entry, failure, order, in: waiting)
        case .dead(let attempts, let failure)?:
            let order = order ?? waiting.order(of: entry.id) ?? pending.nextOrder()
            let dead = WaitingChanges<Model>.Dead(id: id(of: entry), failure: failure, order: order)
            guard let buried = waiting.bury(entry.id, dead) else { return true }
            if !buried.isDecided { pending.end(buried.number, buried.key) }
            buried.decision.fulfil(outcome(.dead(attempts: attempts, failure), buried.theirs))
        default: return false
        }
        return true
    }

    private func take(
        _ entry: OutboxEntry, _ failure: DeliveryFailure?, _ order: UInt64?, in waiting: WaitingChanges<Model>
    ) {
        // Of what the service has decided here the settlement may not be in the journal yet.
        if waiting.change(entry.id)?.isDecided != true { begin(entry, failure, order: order, in: waiting) }
    }
}
