internal import WharfCore
internal import WharfStorage

/// A change of the outbox, with the state of its model when it was sent.
struct AttemptedChange: Sendable {
    let entry: OutboxEntry.ID
    /// The version of its model's key in the store.
    let version: StoreVersion
    /// Whether another change may be sent in its place after a conflict. It is shown until then.
    let mayBeMerged: Bool
}

/// Puts the results of delivered changes into the store.
///
/// A result replaces any row, because that was read before the service took the change.
struct DeliveredRows<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let models: StoredModels<Model>
    let invalidation: RowInvalidation<Model>

    private var kind: EntityKind<Model> { models.kind }

    /// Puts the model of a delivered change.
    ///
    /// - Parameters:
    ///   - validator: the entity tag of the service's answer.
    ///   - answer: marks an addition as answered, in the same commit.
    ///   - remember: called if the row is not in the store.
    func put(
        _ kept: Snapshot<Model>.Kept, _ validator: String?, _ answer: AnsweredAddition?, _ request: UInt64,
        _ attempted: AttemptedChange?, _ remember: MemoryUpdate<Model>
    ) async {
        let key = kind.key(kept.value.id, of: models.account)
        guard let row = models.coding.row(kept, validator: validator) else {
            remember(kept.value.id, Snapshot(kept: kept))
            return await outdateRow(key, before: kept.asOf, attempted)
        }
        let isKept = await commitInTurn(key, attempted, "keep \(kind.name)") { () throws(StoreError) in
            // The mark of the answered addition is in the same commit. A kill between two would
            // send the addition again.
            let mark = models.journal.flatMap { journal in
                answer.map { EntityChange.put($0.row(journal.answerKey($0.entry))) }
            }
            try await replace(key, with: mark) { state in
                var row = row
                row.basis = EntityRow.deliveredBasis
                // An answer that was committed since the change was sent, or an invalidation, may
                // be newer. So the model is asked for at the next read.
                let later = models.requests.request(of: key, at: state.version).map { $0 > request } ?? false
                if later || models.requests.isInvalidated(row, since: request) { row.staleAt = .distantPast }
                return row
            }
        }
        if !isKept { remember(kept.value.id, Snapshot(kept: kept)) }
    }

    /// Marks a row that has the model from before a change whose result is not stored.
    ///
    /// The row stays for lists, other processes and the time without a network. No edit is made on
    /// it. A change that was made on the model is compared with the service's before it is sent
    /// (``ValidatorChain/unseen``).
    ///
    /// A row from a request that began after the change was sent is marked too. The origin may have
    /// answered that request before it took the change.
    ///
    /// - Parameter asOf: the `asOf` of the result. The row gets an earlier one.
    private func outdateRow(_ key: EntityKey, before asOf: WallTime, _ attempted: AttemptedChange?) async {
        await commitInTurn(key, attempted, "make \(kind.name) \(key.id) stale") { () throws(StoreError) in
            try await replace(key) { state in
                guard var row = state.row else { return nil }
                row.asOf = min(row.asOf, asOf - .nanoseconds(1))
                (row.staleAt, row.validator, row.basis) = (
                    .distantPast, ValidatorChain.unseen, EntityRow.deliveredBasis
                )
                return row
            }
        }
    }

    /// Removes the row of a model that a change has deleted.
    func remove(_ key: EntityKey, _ attempted: AttemptedChange?) async {
        await commitInTurn(key, attempted, "remove \(kind.name) \(key.id)") { () throws(StoreError) in
            if models.queue.isEnded { throw .ended }
            // Without an expected version: a delivered deletion beats each row.
            try await models.store.commit([.remove(key)])
        }
    }

    func makeStale(_ key: EntityKey) async {
        do throws(StoreError) {
            _ = try await invalidation.invalidate(.id(key.id))
        } catch {
            _ = models.coding.failed(error, "make \(kind.name) \(key.id) stale")
        }
    }

    // MARK: Committing

    /// Runs a commit in a turn of the queue. If the answer is late, the row is made stale instead.
    ///
    /// - Returns: false if the store has failed.
    @discardableResult
    private func commitInTurn(
        _ key: EntityKey, _ attempted: AttemptedChange?, _ action: String,
        _ commit: @escaping @Sendable () async throws(StoreError) -> Void
    ) async -> Bool {
        let isKept: Bool? = await models.queue.turn { [self] in
            // Checked in the turn, so that no change of this process comes between the check and
            // the commit.
            if await isOvertaken(attempted, key) { return nil }
            do throws(StoreError) {
                try await commit()
                return true
            } catch {
                _ = models.coding.failed(error, action)
                return false
            }
        }
        if isKept == nil { await makeStale(key) }
        return isKept ?? true
    }

    /// Replaces a row by compare-and-set, and tries again over a newer one.
    ///
    /// - Parameters:
    ///   - mark: another change of the same commit.
    ///   - row: makes the row on the present state; nil leaves that as it is.
    private func replace(
        _ key: EntityKey, with mark: EntityChange? = nil, _ row: (EntityState) -> EntityRow?
    ) async throws(StoreError) {
        var state = try await models.store.state(of: key)
        while let row = row(state) {
            if models.queue.isEnded { throw .ended }
            let changes = [.put(row)] + (mark.map { [$0] } ?? [])
            let outcome = try await models.store.commit(changes, expecting: [key: state.version])
            guard case .refused(let current) = outcome, let newer = current[key] else { return }
            state = newer
        }
    }

    // MARK: Late answers

    // Another process may have taken the change over, as when this one was suspended.

    /// Looks at the model of a change that is about to be sent.
    func attempted(_ entry: OutboxEntry, _ key: EntityKey) async throws(DeliveryFailure) -> AttemptedChange {
        let change = WaitingChange(entry.payload)
        let isByMember = kind.codec.members != nil && entry.base != nil && change?.operation == .edit
        let mayBeMerged = isByMember || kind.conflictPolicy != .ask || kind.merge != nil || change?.isDecided == true
        do throws(StoreError) {
            let version = try await models.store.state(of: key).version
            return AttemptedChange(entry: entry.id, version: version, mayBeMerged: mayBeMerged)
        } catch {
            throw DeliveryFailure(.offline, message: "the store can't be read now: \(error.message)")
        }
    }

    /// Returns whether a change's answer is late, and must not replace the row.
    ///
    /// The answer is late if another process has settled the change before, and the row has changed
    /// since the change was sent. The row may come from a later change.
    ///
    /// - Parameter attempted: nil for a change that goes straight to the service.
    private func isOvertaken(_ attempted: AttemptedChange?, _ key: EntityKey) async -> Bool {
        guard let attempted, let journal = models.journal else { return false }
        do throws(StoreError) {
            switch try await journal.store.record(of: attempted.entry)?.states[models.coding.route.destination] {
            // The entry is open, so no other process has settled it. This answer is the first one.
            case .waiting, .pending: return false
            default: return try await models.store.state(of: key).version != attempted.version
            }
        } catch {
            _ = models.coding.failed(
                error, "check whether another process has settled a change of \(kind.name) \(key.id)")
            // The row is then made stale, so it is asked for again.
            return true
        }
    }
}
