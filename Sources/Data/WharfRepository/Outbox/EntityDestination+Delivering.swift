internal import WharfCore
internal import WharfStorage

// A delivery takes the journal's news in first, and ends the pending change when its row is stored.
extension EntityDestination {
    /// Sends a change to the service, and takes its answer in.
    ///
    /// - Returns: the delivery, and the decision; that is nil if the change goes on waiting.
    func deliver(
        _ entry: OutboxEntry, _ draft: ChangeDraft<Model>
    ) async throws(DeliveryFailure) -> (delivery: Delivery, decided: WriteDecision<Model>?) {
        // A signed-out account must send nothing. `offline` counts no attempt and keeps the entry.
        if journal.queue.isEnded {
            throw DeliveryFailure(.offline, message: "the account of this repository was signed out")
        }
        do throws(DeliveryFailure) {
            return try await attempt(entry, draft)
        } catch {
            journal.pending.apply(.answered(entry.id, error))
            throw error
        }
    }

    /// Returns the idempotency key under which an entry is sent.
    ///
    /// It is not the entry's own key if the edit was made on another model since, or became an
    /// addition.
    ///
    /// A service that remembers keys refuses another request under a key that it has seen.
    private func key(
        of sent: ChangeDraft<Model>, for draft: ChangeDraft<Model>, _ entry: OutboxEntry
    ) -> IdempotencyKey {
        let operation = sent.isAddition == draft.isAddition ? "" : "-add"
        guard let bytes = sent.bytes, !coding.isSame(bytes, draft.bytes) else {
            return IdempotencyKey(entry.key.text + operation)
        }
        // A retry of the same bytes gets the same key, also after a restart, because the key is a
        // hash of them.
        return IdempotencyKey(entry.key.text + operation + "-" + String(XXH64.hash(bytes), radix: 16))
    }

    private func attempt(
        _ entry: OutboxEntry, _ draft: ChangeDraft<Model>
    ) async throws(DeliveryFailure) -> (delivery: Delivery, decided: WriteDecision<Model>?) {
        // Converted first: with the service's id, the entry's payload gets the present schema, and
        // no longer tells the schema of the base.
        let base = coding.inCurrentSchema(entry.base, of: entry)
        let (entry, draft) = try await identified(entry, draft)
        let (known, answer) = try await begin(entry)
        let chains = try await chains(of: known, draft.key, entry)
        // An earlier attempt or another process has the service's answer. The addition is settled
        // without a second request.
        if let answer {
            let decided = await decided(answer)
            journal.pending.fulfil(entry.id, decided.outcome)
            return (delivery(entry, draft, decided, chains), decided)
        }
        // The version is read before the request. A row that another process puts afterwards makes
        // this answer late.
        var attempted = try await sender.delivered.attempted(entry, draft.key)
        let validator = chains.sent.last
        let prepared = await sender.prepared(draft, validator, base: base, attempted)
        // The read for the comparison has put its answer into the store, at a new version.
        if !ValidatorChain.isTag(validator) { attempted = try await sender.delivered.attempted(entry, draft.key) }
        return await models.requests.run { [attempted] request in
            do throws(WriteFailure) {
                let decided = try await sender.send(
                    prepared, under: { key(of: $0, for: draft, entry) }, request, attempted)
                let delivery = delivery(entry, draft, decided, chains)
                let failure = delivery.verdict.failure
                if attempted.mayBeMerged, case .conflict(let theirs) = decided.outcome {
                    // The outbox asks for a merged change, or sets this one aside. The change is
                    // shown until then.
                    journal.pending.apply(.conflicted(entry.id, theirs: theirs))
                    if let failure { journal.pending.apply(.answered(entry.id, failure)) }
                    return (delivery, nil)
                }
                let event = PendingEvent<Model>.decided(entry.id, failure, decided.taken, at: models.clock.now())
                // The later changes move to the new id in the step that ends the addition. Between
                // two steps a reader would see the model without them.
                if coding.kind.identify != nil, let given = delivery.assignedIDs[draft.key.id] {
                    await journal.move(draft.key.id, to: given, after: event)
                } else {
                    journal.pending.apply(event)
                }
                // Last: a caller that resumes reads the row and the pending changes as they are
                // after the decision.
                journal.pending.fulfil(entry.id, decided.outcome)
                return (delivery, decided)
            } catch {
                let verdict = verdict(error)
                if let failure = verdict.failure { journal.pending.apply(.answered(entry.id, failure)) }
                return (Delivery(verdict), nil)
            }
        }
    }

    private typealias BegunDelivery = (change: PendingChange<Model>, answer: AnsweredAddition?)

    /// Folds in an entry that is about to be sent, and the entries before it.
    ///
    /// - Returns: the change, and the stored answer if it is an addition that has one. Such an
    ///   addition is not sent again.
    private func begin(_ entry: OutboxEntry) async throws(DeliveryFailure) -> BegunDelivery {
        // In a turn of the queue, to come after the turn in which the change was enqueued.
        let begun = try await journal.queue.turn { [self] () throws(DeliveryFailure) -> BegunDelivery? in
            let answer: AnsweredAddition?
            do throws(StoreError) {
                try await journal.restore()
                // After the lease has run out, another process may settle an entry that this one
                // was handed. If the change were shown again, it would hide later changes.
                guard try await journal.readUp(to: entry.id) else { return nil }
                try await settleBefore(entry)
                answer = try await received(entry)
            } catch {
                throw .unreadableJournal
            }
            // An addition with an answer must not be begun again: it would be shown beside its own
            // row.
            if answer == nil {
                journal.pending.apply(.begun(coding.change(entry)))
                journal.pending.apply(.sending(entry.id))
            }
            return journal.pending.change(entry.id).map { ($0, answer) }
        }
        guard let begun else { throw .settledElsewhere }
        return begun
    }

    /// Folds in the stored answer to an addition.
    private func received(_ entry: OutboxEntry) async throws(StoreError) -> AnsweredAddition? {
        guard let addition = journal.pending.change(entry.id), addition.content.isAddition,
            let answer = try await journal.answers(to: [entry.id])[entry.id]
        else { return nil }
        journal.pending.apply(try await journal.events(answer, toAdditionOf: addition.key.id))
        return answer
    }

    private func decided(_ answer: AnsweredAddition) async -> WriteDecision<Model> {
        let key = coding.key(answer.id)
        var model: Model?
        // Without the model the caller is still told that the addition has arrived.
        do throws(StoreError) { model = try await models.store.row(key).flatMap(coding.decoded)?.value } catch {
            _ = coding.failed(error, "read \(coding.kind.name) \(answer.id)")
        }
        return WriteDecision(
            outcome: .delivered(model), taken: .init(validator: coding.passedOn(answer.validator), added: answer.id))
    }

    /// Folds in the outcomes of the changes before an entry in its lane.
    ///
    /// A lane is delivered in order. Another process may have delivered a change before this one.
    /// If that is not known here, that change would be shown over the result of this one.
    private func settleBefore(_ entry: OutboxEntry) async throws(StoreError) {
        guard let next = journal.pending.change(entry.id) else { return }
        for earlier in journal.pending.open(next.key.id).prefix(while: { $0.entry != entry.id })
        where earlier.lane == next.lane {
            try await journal.compare(earlier.entry)
        }
    }

    /// Returns an entry and its draft with the id that the model has at the service.
    ///
    /// That id may have come too late for the journal to put it into the entry.
    private func identified(
        _ entry: OutboxEntry, _ draft: ChangeDraft<Model>
    ) async throws(DeliveryFailure) -> (OutboxEntry, ChangeDraft<Model>) {
        let given: String?
        do throws(StoreError) { given = draft.isAddition ? nil : try await journal.assigned(to: draft.key.id) } catch {
            throw .unreadableJournal
        }
        guard let given, let change = WaitingChange(entry.payload) else { return (entry, draft) }
        var entry = entry
        entry.payload = try coding.identified(change, as: given).payload
        return (entry, try coding.identified(draft, as: given))
    }

    private func delivery(
        _ entry: OutboxEntry, _ draft: ChangeDraft<Model>, _ decided: WriteDecision<Model>,
        _ chains: (stored: ValidatorChain, sent: ValidatorChain)
    ) -> Delivery {
        switch decided.outcome {
        case .delivered:
            let given = id(of: draft, after: decided)
            var ids: [String: String] = [:]
            // The service has given another id. The settlement stores it under the plain id and
            // under the name with the kind.
            if given != draft.key.id {
                ids[draft.key.id] = given
                if coding.kind.identify != nil { ids[journal.name(ofID: draft.key.id)] = given }
            }
            // These are committed in the transaction of the settlement. After a kill between two
            // commits, the next change would be sent with an old entity tag, and would be in
            // conflict.
            var entities = passing(entry, draft, decided, chains.sent)
            // The stored answer has served its purpose when the settlement is on the disk.
            if draft.isAddition { entities.append(.remove(journal.answerKey(entry.id))) }
            return Delivery(.delivered, entities: entities, assignedIDs: ids)
        case .conflict(let theirs):
            return Delivery(
                .conflict(conflict(draft, theirs), theirs: theirs.value.flatMap(coding.bytes)),
                entities: refusing(entry, draft, chains.stored))
        case .rejected(let failure), .unknown(let failure):
            return Delivery(
                .rejected(
                    DeliveryFailure(
                        .rejected, message: failure.explainedMessage, status: failure.response?.status.code)))
        }
    }

    /// Returns the id that a model has after a delivery.
    func id(of draft: ChangeDraft<Model>, after decided: WriteDecision<Model>) -> String {
        if case .delivered(let model?) = decided.outcome { return coding.kind.text(model.id) }
        return decided.taken?.added ?? draft.key.id
    }

    /// Returns the failure of a conflict. Its status tells the next process of a gone model.
    private func conflict(_ draft: ChangeDraft<Model>, _ theirs: Snapshot<Model>) -> DeliveryFailure {
        let isGone = theirs.error?.saysGone == true
        let what =
            isGone
            ? "deleted by another client meanwhile; add it again, or discard the change"
            : "changed by another client meanwhile; merge both versions, or discard the change"
        return DeliveryFailure(
            .conflict, message: "\(coding.kind.name) \(draft.key.id) was \(what)",
            status: isGone ? theirs.error?.response?.status.code : nil)
    }

    /// Returns the verdict on a change that goes on waiting, or can't be sent at all.
    private func verdict(_ failure: WriteFailure) -> Delivery.Verdict {
        let excerpt = String(decoding: failure.excerpt.prefix(200), as: UTF8.self)
        if let response = failure.response { return .init(response, excerpt: excerpt, now: models.clock.now()) }
        // A retry can't help: the model or the source is at fault, not the network.
        if failure.code == .unencodable || failure.code == .unsupported {
            return .rejected(DeliveryFailure(.rejected, message: failure.message))
        }
        // The code of a failed read has the same name as that of the transport's error.
        let code = (failure.cause as? ReadFailure)?.code.name ?? failure.code.name
        return .init(TransportError(.init(code), message: failure.message), now: models.clock.now())
    }
}

extension WriteFailure {
    /// The message, with the beginning of the answer's body if it lacks that.
    fileprivate var explainedMessage: String {
        let isExplained = cause.map { ($0 as? ReadFailure)?.cause != nil } ?? false
        if excerpt.isEmpty || isExplained { return message }
        return "\(message): \(String(decoding: excerpt.prefix(200), as: UTF8.self))"
    }
}

extension DeliveryFailure.Code {
    /// Nothing was sent, so this says nothing about the service.
    static let settledElsewhere = Self("settledElsewhere")
}

extension DeliveryFailure {
    /// The failure of an entry whose settlement the journal drops.
    ///
    /// So the entry is not tried again.
    fileprivate static let settledElsewhere = DeliveryFailure(
        .settledElsewhere, message: "another process has settled the change meanwhile; nothing was sent")

    fileprivate static let unreadableJournal = DeliveryFailure(.offline, message: "the journal can't be read now")
}
