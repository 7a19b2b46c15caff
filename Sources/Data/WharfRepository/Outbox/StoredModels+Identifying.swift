internal import WharfCore
internal import WharfStorage

// Changes of models that were added under an id of the app, and got one of the service since.
extension StoredModels {
    /// Returns the name under which the journal keeps the id that a model was assigned.
    ///
    /// It has the kind in it, because two kinds may use the same texts.
    func name(ofID id: String) -> String { "\(route.kind) \(id)" }

    /// Returns the same change, of the model with another id.
    func identified(_ draft: Draft, as given: String) throws(DeliveryFailure) -> Draft {
        func failure(_ advice: String) -> DeliveryFailure {
            DeliveryFailure(
                .rejected,
                message:
                    "the service changed the id \(draft.key.id) to \(given), and this change has the old id; \(advice)")
        }
        guard let identify = kind.identify else {
            throw failure(
                "make the change again with the new id and discard this one, or give EntityKind `identifying(by:)` for "
                    + "the next"
            )
        }
        guard let id = kind.parsing?(given), kind.text(id) == given else {
            throw failure("give EntityKind a `parsing` that reads the new id as an id of \(kind.name)")
        }
        let key = EntityKey(account: account, kind: kind.name, id: given)
        guard let old = draft.model else {
            return Draft(id: id, key: key, model: nil, bytes: nil, isAddition: false)
        }
        let model = identify(old, id)
        guard kind.text(model.id) == given else {
            throw failure("`identifying(by:)` of \(kind.name) gave a model with the id \(kind.text(model.id))")
        }
        do {
            return Draft(
                id: id, key: key, model: model, bytes: try kind.codec.encode(model), isAddition: draft.isAddition)
        } catch {
            throw failure("the model can't be encoded with the new id: \(error)")
        }
    }

    /// Returns the same waiting change, of the model with another id.
    func identified(_ change: WaitingChange, as given: String) throws(DeliveryFailure) -> WaitingChange {
        let draft = try identified(try draft(change, base: nil), as: given)
        var moved = change
        moved.id = given
        moved.schema = kind.codec.schema
        moved.bytes = draft.bytes ?? []
        return moved
    }

    /// Returns the id that the service has given in the place of a draft's id.
    ///
    /// nil if the service kept the id, or if the kind can't put a new one into its models.
    func assigned(
        to draft: Draft, in journal: PendingJournal
    ) async throws(StoreError) -> String? {
        draft.isAddition ? nil : try await assigned(to: draft.key.id, in: journal)
    }

    /// Returns the id that the service has given in the place of another one.
    func assigned(to id: String, in journal: PendingJournal) async throws(StoreError) -> String? {
        guard kind.identify != nil else { return nil }
        // Memory first: an answer that is not settled yet has given the id, and the journal does
        // not know it.
        if let known = pending.read({ $0.assignedID(to: id) }) { return known }
        let name = name(ofID: id)
        return try await journal.store.assignedIDs(for: [name], of: account)[name]
    }

    /// Returns the id that a model has now. The caller may know only the one before.
    func current(_ id: Model.ID) async throws(StoreError) -> Model.ID {
        let text = kind.text(id)
        guard let journal else { return id }
        try await receiveAnswers(toAdditionsOf: text, in: journal)
        // The same text may name a new addition. Its changes must not go to the model that had the
        // id before.
        guard !isBeingAdded(text), let given = try await assigned(to: text, in: journal),
            let current = kind.parsing?(given), kind.text(current) == given
        else { return id }
        return current
    }

    /// Returns whether a model is being added under an id.
    ///
    /// It is another model than the one that had the id in an earlier launch.
    func isBeingAdded(_ id: String) -> Bool { pending.open(id).contains(where: \.content.isAddition) }

    /// Returns an entry of the journal with the id that its model has now.
    ///
    /// A change that came to the journal after the settlement of its addition still has the
    /// temporary id there.
    func identified(_ record: OutboxRecord, in journal: PendingJournal) async throws(StoreError) -> OutboxRecord {
        guard kind.identify != nil, let change = WaitingChange(record.entry.payload), change.operation != .add,
            !isBeingAdded(change.id), let given = try await assigned(to: change.id, in: journal)
        else { return record }
        return identified(record, change, as: given)
    }

    private func identified(_ record: OutboxRecord, _ change: WaitingChange, as given: String) -> OutboxRecord {
        do throws(DeliveryFailure) {
            var record = record
            record.entry.payload = try identified(change, as: given).payload
            return record
        } catch {
            // The destination reports an entry that can't be changed.
            return record
        }
    }

    /// Folds in the decision on an addition, and moves later changes to the new id.
    ///
    /// This is one turn of the queue and one step. Otherwise a change could be made without those
    /// changes, and a reader would see the model without them.
    func move(
        _ old: String, to given: String, after decision: PendingEvent<Model>, in journal: PendingJournal
    ) async {
        await queue.turn { [self] in
            do throws(StoreError) {
                pending.apply([decision] + (try await moved(old, to: given, in: journal)))
            } catch {
                // Each change moves when it is about to be sent.
                let message = "changes of \(kind.name) \(old) could not move to its new id \(given) yet: \(error)"
                report(Incident(.storeFailed, message: message, cause: error))
                pending.apply(decision)
            }
        }
    }

    /// Returns the changes that wait under an id, as changes under the new id.
    func moved(
        _ old: String, to given: String, in journal: PendingJournal
    ) async throws(StoreError) -> [PendingEvent<Model>] {
        var events: [PendingEvent<Model>] = []
        // The addition itself keeps the temporary id: its entry was sent with it.
        for change in pending.open(old) where !change.content.isAddition {
            guard let record = try await journal.store.record(of: change.entry),
                let change = WaitingChange(record.entry.payload)
            else { continue }
            // The journal may have rewritten the entry by now. It has the new id then.
            let entry = change.id == old ? identified(record, change, as: given).entry : record.entry
            events.append(.begun(self.change(entry)))
        }
        return events
    }
}
