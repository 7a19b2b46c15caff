internal import WharfCore
internal import WharfStorage

// Changes of models that were added under an id of the app, and got one of the service since.
extension PendingJournal {
    /// Returns the name under which the journal keeps the id that a model was assigned.
    ///
    /// It has the kind in it, because two kinds may use the same texts.
    func name(ofID id: String) -> String { "\(coding.route.kind) \(id)" }

    /// Returns the id that the service has given in the place of another one.
    ///
    /// nil if the service kept the id, or if the kind can't put a new one into its models.
    func assigned(to id: String) async throws(StoreError) -> String? {
        guard coding.kind.identify != nil else { return nil }
        // Memory first: an answer that is not settled yet has given the id, and the journal does
        // not know it.
        if let known = pending.read({ $0.assignedID(to: id) }) { return known }
        let name = name(ofID: id)
        return try await store.assignedIDs(for: [name], of: coding.account)[name]
    }

    /// Returns the id that a model has now. The caller may know only the one before.
    ///
    /// Call it in a turn of the queue.
    func current(_ id: Model.ID) async throws(StoreError) -> Model.ID {
        let (kind, text) = (coding.kind, coding.kind.text(id))
        try await receiveAnswers(toAdditionsOf: text)
        // The same text may name a new addition. Its changes must not go to the model that had the
        // id before.
        guard !isBeingAdded(text), let given = try await assigned(to: text), let current = kind.parsing?(given),
            kind.text(current) == given
        else { return id }
        return current
    }

    /// Returns a draft with the id that the service has given its model since.
    ///
    /// The caller may have the id from before. Call it in a turn of the queue.
    func identified(_ draft: ChangeDraft<Model>) async throws(StoreError) -> ChangeDraft<Model> {
        if draft.isAddition { return draft }
        try await receiveAnswers(toAdditionsOf: draft.key.id)
        guard !isBeingAdded(draft.key.id), let given = try await assigned(to: draft.key.id) else { return draft }
        do throws(DeliveryFailure) { return try coding.identified(draft, as: given) } catch {
            // The destination reports a change that can't get the id.
            return draft
        }
    }

    /// Returns whether a model is being added under an id.
    ///
    /// It is another model than the one that had the id in an earlier launch.
    private func isBeingAdded(_ id: String) -> Bool { pending.open(id).contains(where: \.content.isAddition) }

    /// Returns an entry of the journal with the id that its model has now.
    ///
    /// A change that came to the journal after the settlement of its addition still has the
    /// temporary id there.
    func identified(_ record: OutboxRecord) async throws(StoreError) -> OutboxRecord {
        guard coding.kind.identify != nil, let change = WaitingChange(record.entry.payload), change.operation != .add,
            !isBeingAdded(change.id), let given = try await assigned(to: change.id)
        else { return record }
        return identified(record, change, as: given)
    }

    private func identified(_ record: OutboxRecord, _ change: WaitingChange, as given: String) -> OutboxRecord {
        do throws(DeliveryFailure) {
            var record = record
            record.entry.payload = try coding.identified(change, as: given).payload
            return record
        } catch {
            // The destination reports an entry that can't be changed.
            return record
        }
    }

    // MARK: Moving

    /// Folds in the decision on an addition, and moves later changes to the new id.
    ///
    /// This is one turn of the queue and one step. Otherwise a change could be made without those
    /// changes, and a reader would see the model without them.
    func move(_ old: String, to given: String, after decision: PendingEvent<Model>) async {
        await queue.turn { [self] in
            do throws(StoreError) {
                pending.apply([decision] + (try await moved(old, to: given)))
            } catch {
                // Each change moves when it is about to be sent.
                let message =
                    "changes of \(coding.kind.name) \(old) could not move to its new id \(given) yet: \(error)"
                coding.report(Incident(.storeFailed, message: message, cause: error))
                pending.apply(decision)
            }
        }
    }

    /// Returns the changes that wait under an id, as changes under the new id.
    func moved(_ old: String, to given: String) async throws(StoreError) -> [PendingEvent<Model>] {
        var events: [PendingEvent<Model>] = []
        // The addition itself keeps the temporary id: its entry was sent with it.
        for change in pending.open(old) where !change.content.isAddition {
            guard let record = try await store.record(of: change.entry),
                let change = WaitingChange(record.entry.payload)
            else { continue }
            // The journal may have rewritten the entry by now. It has the new id then.
            let entry = change.id == old ? identified(record, change, as: given).entry : record.entry
            events.append(.begun(coding.change(entry)))
        }
        return events
    }

    // MARK: Answered additions

    func answerKey(_ entry: OutboxEntry.ID) -> EntityKey {
        EntityKey(account: coding.account, kind: AnsweredAddition.kind(of: coding.kind.name), id: entry.text)
    }

    /// Returns the stored answers to additions, including those of other processes.
    func answers(to additions: [OutboxEntry.ID]) async throws(StoreError) -> [OutboxEntry.ID: AnsweredAddition] {
        // Most journals have no waiting addition, and then cost no read of the store.
        if additions.isEmpty { return [:] }
        var answers: [OutboxEntry.ID: AnsweredAddition] = [:]
        for row in try await entities.rows(additions.map(answerKey)).values {
            if let answer = AnsweredAddition(row) { answers[answer.entry] = answer }
        }
        return answers
    }

    /// Turns the answer to an addition into events.
    ///
    /// The other changes of the model move from the temporary id to the given one.
    func events(_ answer: AnsweredAddition, toAdditionOf id: String) async throws(StoreError) -> [PendingEvent<Model>] {
        let taken = PendingEvent<Model>.ServiceEffect(validator: coding.passedOn(answer.validator), added: answer.id)
        let event = PendingEvent<Model>.received(answer.entry, taken, at: answer.asOf)
        // The service has kept the id, or the kind can't put another one into its models. No change
        // moves.
        guard coding.kind.identify != nil, answer.id != id else { return [event] }
        return [event] + (try await moved(id, to: answer.id))
    }

    /// Folds in the stored answers to the additions of a model.
    ///
    /// Another process may have received an answer, and not settled it yet. Call this in a turn of
    /// the queue.
    private func receiveAnswers(toAdditionsOf id: String) async throws(StoreError) {
        let additions = pending.open(id).filter(\.content.isAddition).map(\.entry)
        for answer in try await answers(to: additions).values {
            // In one step. Between the decision and the moves, a reader would see the model without
            // its later changes.
            pending.apply(try await events(answer, toAdditionOf: id))
        }
    }
}
