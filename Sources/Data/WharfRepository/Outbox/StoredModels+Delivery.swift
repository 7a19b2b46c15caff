internal import WharfCore

extension StoredModels {
    /// Returns the change that an entry asks for.
    func draft(_ entry: OutboxEntry) throws(DeliveryFailure) -> Draft {
        guard entry.kind == WaitingChange.kind(of: kind.name), let change = WaitingChange(entry.payload) else {
            throw .unreadable(kind.name)
        }
        return try draft(change, base: entry.base)
    }

    /// Returns the change that a waiting change asks for.
    ///
    /// - Parameter base: the bytes of the model that the change was made on, if they are known.
    func draft(_ change: WaitingChange, base: [UInt8]?) throws(DeliveryFailure) -> Draft {
        let key = EntityKey(account: account, kind: kind.name, id: change.id)
        do {
            guard change.operation == .delete else {
                let model = try kind.codec.decode(change.bytes, change.schema)
                let isCurrent = change.schema == kind.codec.schema
                return Draft(
                    id: model.id, key: key, model: model,
                    bytes: isCurrent ? change.bytes : try kind.codec.encode(model),
                    isAddition: change.operation == .add)
            }
            let id = try kind.parsing?(change.id) ?? base.map { try kind.codec.decode($0, change.schema).id }
            guard let id, kind.text(id) == change.id else { throw DeliveryFailure.unreadable(kind.name) }
            return Draft(id: id, key: key, model: nil, bytes: nil, isAddition: false)
        } catch let failure as DeliveryFailure {
            throw failure
        } catch {
            throw DeliveryFailure(
                .unreadable,
                message:
                    "the codec of \(kind.name) could not decode a change of schema \(change.schema): \(error); edit or "
                    + "discard the change")
        }
    }

    /// Returns the idempotency key under which an entry is sent.
    ///
    /// It is not the entry's own key if the edit was made on another model since, or became an
    /// addition.
    ///
    /// A service that remembers keys refuses another request under a key that it has seen.
    private func key(of sent: Draft, for draft: Draft, _ entry: OutboxEntry) -> IdempotencyKey {
        let operation = sent.isAddition == draft.isAddition ? "" : "-add"
        guard let bytes = sent.bytes, !isSame(bytes, draft.bytes) else {
            return IdempotencyKey(entry.key.text + operation)
        }
        return IdempotencyKey(entry.key.text + operation + "-" + String(XXH64.hash(bytes), radix: 16))
    }

    /// Returns the base of an entry in the codec's present schema.
    ///
    /// Members can be compared in that schema.
    func inCurrentSchema(_ base: [UInt8]?, of entry: OutboxEntry) -> [UInt8]? {
        guard let base, let schema = WaitingChange(entry.payload)?.schema, schema != kind.codec.schema else {
            return base
        }
        do {
            return try kind.codec.encode(try kind.codec.decode(base, schema))
        } catch {
            reportUnencodable("the base of a change of \(kind.name)", error)
            return nil
        }
    }

    /// Sends a change to the service, and takes its answer in.
    ///
    /// - Returns: the delivery, and the decision; that is nil if the change goes on waiting.
    func deliver(
        _ entry: OutboxEntry, _ draft: Draft, remember: @escaping Remember
    ) async throws(DeliveryFailure) -> (delivery: Delivery, decided: Decided?) {
        guard let journal, let write = remote?.write, !queue.isEnded else {
            throw DeliveryFailure(.offline, message: "the account of this repository was signed out")
        }
        do throws(DeliveryFailure) {
            return try await attempt(entry, draft, write, in: journal, remember)
        } catch {
            pending.apply(.answered(entry.id, error))
            throw error
        }
    }

    private func attempt(
        _ entry: OutboxEntry, _ draft: Draft, _ write: RemoteSource<Model>.Write, in journal: PendingJournal,
        _ remember: @escaping Remember
    ) async throws(DeliveryFailure) -> (delivery: Delivery, decided: Decided?) {
        // Converted first: with the service's id, the entry's payload gets the present schema, and
        // no longer tells the schema of the base.
        let base = inCurrentSchema(entry.base, of: entry)
        let (entry, draft) = try await identified(entry, draft, in: journal)
        let (known, answer) = try await begin(entry, in: journal)
        let chains = try await chains(of: known, draft.key, entry, journal)
        if let answer {
            let decided = await decided(answer)
            pending.fulfil(entry.id, decided.outcome)
            return (delivery(entry, draft, decided, chains), decided)
        }
        var attempted = try await attempted(entry, draft.key)
        let validator = chains.sent.last
        let prepared = await prepared(draft, validator, base: base, attempted, remember)
        // The read for the comparison has put its answer into the store, at a new version.
        if !ValidatorChain.isTag(validator) { attempted = try await self.attempted(entry, draft.key) }
        return await requests.run { [attempted] request in
            let result = await send(
                prepared, under: { key(of: $0, for: draft, entry) }, request, attempted, write, remember)
            switch result {
            case .failure(let failure):
                let verdict = verdict(failure)
                if let failure = verdict.failure { pending.apply(.answered(entry.id, failure)) }
                return (Delivery(verdict), nil)
            case .success(let decided):
                let delivery = delivery(entry, draft, decided, chains)
                let failure = delivery.verdict.failure
                if attempted.mayBeMerged, case .conflict(let theirs) = decided.outcome {
                    // The outbox asks for a merged change, or sets this one aside. The change is
                    // shown until then.
                    pending.apply(.conflicted(entry.id, theirs: theirs))
                    if let failure { pending.apply(.answered(entry.id, failure)) }
                    return (delivery, nil)
                }
                let event = PendingEvent<Model>.decided(entry.id, failure, decided.taken, at: clock.now())
                if kind.identify != nil, let given = delivery.assignedIDs[draft.key.id] {
                    await move(draft.key.id, to: given, after: event, in: journal)
                } else {
                    pending.apply(event)
                }
                pending.fulfil(entry.id, decided.outcome)
                return (delivery, decided)
            }
        }
    }

    private typealias Begun = (change: PendingChange<Model>, answer: AnsweredAddition?)

    /// Folds in an entry that is about to be sent, and the entries before it.
    ///
    /// - Returns: the change, and the stored answer if it is an addition that has one. Such an
    ///   addition is not sent again.
    private func begin(
        _ entry: OutboxEntry, in journal: PendingJournal
    ) async throws(DeliveryFailure) -> Begun {
        // In a turn of the queue, to come after the turn in which the change was enqueued.
        let begun = await queue.turn { [self] () -> Result<Begun, DeliveryFailure> in
            let answer: AnsweredAddition?
            do throws(StoreError) {
                try await restoreWaiting()
                // After the lease has run out, another process may settle an entry that this one
                // was handed. If the change were shown again, it would hide later changes.
                guard try await readUp(to: entry.id, in: journal) else { return .failure(.settledElsewhere) }
                try await settleBefore(entry, in: journal)
                answer = try await received(entry, in: journal)
            } catch {
                return .failure(.unreadableJournal)
            }
            if answer == nil {
                pending.apply(.begun(change(entry)))
                pending.apply(.sending(entry.id))
            }
            return pending.change(entry.id).map { .success(($0, answer)) } ?? .failure(.settledElsewhere)
        }
        return try begun.get()
    }

    /// Folds in the stored answer to an addition.
    private func received(
        _ entry: OutboxEntry, in journal: PendingJournal
    ) async throws(StoreError) -> AnsweredAddition? {
        guard let addition = pending.change(entry.id), addition.content.isAddition,
            let answer = try await answers(to: [entry.id])[entry.id]
        else { return nil }
        pending.apply(try await events(answer, toAdditionOf: addition.key.id, in: journal))
        return answer
    }

    private func decided(_ answer: AnsweredAddition) async -> Decided {
        let key = EntityKey(account: account, kind: kind.name, id: answer.id)
        var model: Model?
        // Without the model the caller is still told that the addition has arrived.
        do throws(StoreError) { model = try await store.row(key).flatMap(decoded)?.value } catch {
            _ = failed(error, "read \(kind.name) \(answer.id)")
        }
        return Decided(
            outcome: .delivered(model), taken: .init(validator: passedOn(answer.validator), added: answer.id))
    }

    /// Folds in the outcomes of the changes before an entry in its lane.
    ///
    /// A lane is delivered in order. Another process may have delivered a change before this one.
    /// If that is not known here, that change would be shown over the result of this one.
    private func settleBefore(_ entry: OutboxEntry, in journal: PendingJournal) async throws(StoreError) {
        guard let next = pending.change(entry.id) else { return }
        for earlier in pending.open(next.key.id).prefix(while: { $0.entry != entry.id }) where earlier.lane == next.lane
        {
            try await compare(earlier.entry, in: journal)
        }
    }

    /// Returns an entry and its draft with the id that the model has at the service.
    ///
    /// That id may have come too late for the journal to put it into the entry.
    private func identified(
        _ entry: OutboxEntry, _ draft: Draft, in journal: PendingJournal
    ) async throws(DeliveryFailure) -> (OutboxEntry, Draft) {
        let given: String?
        do throws(StoreError) { given = try await assigned(to: draft, in: journal) } catch { throw .unreadableJournal }
        guard let given, let change = WaitingChange(entry.payload) else { return (entry, draft) }
        var entry = entry
        entry.payload = try identified(change, as: given).payload
        return (entry, try identified(draft, as: given))
    }

    private func delivery(
        _ entry: OutboxEntry, _ draft: Draft, _ decided: Decided,
        _ chains: (stored: ValidatorChain, sent: ValidatorChain)
    ) -> Delivery {
        switch decided.outcome {
        case .delivered:
            let given = id(of: draft, after: decided)
            var ids: [String: String] = [:]
            if given != draft.key.id {
                ids[draft.key.id] = given
                if kind.identify != nil { ids[name(ofID: draft.key.id)] = given }
            }
            // These are committed in the transaction of the settlement. After a kill between two
            // commits, the next change would be sent with an old entity tag, and would be in
            // conflict.
            var entities = passing(entry, draft, decided, chains.sent)
            if draft.isAddition { entities.append(.remove(answerKey(entry.id))) }
            return Delivery(.delivered, entities: entities, assignedIDs: ids)
        case .conflict(let theirs):
            return Delivery(
                .conflict(conflict(draft, theirs), theirs: theirs.value.flatMap(bytes)),
                entities: refusing(entry, draft, chains.stored))
        case .rejected(let failure), .unknown(let failure):
            return Delivery(
                .rejected(
                    DeliveryFailure(
                        .rejected, message: failure.explainedMessage, status: failure.response?.status.code)))
        }
    }

    /// Returns the id that a model has after a delivery.
    func id(of draft: Draft, after decided: Decided) -> String {
        if case .delivered(let model?) = decided.outcome { return kind.text(model.id) }
        return decided.taken?.added ?? draft.key.id
    }

    /// Returns the failure of a conflict. Its status tells the next process of a gone model.
    private func conflict(_ draft: Draft, _ theirs: Snapshot<Model>) -> DeliveryFailure {
        let isGone = theirs.error?.saysGone == true
        let what =
            isGone
            ? "deleted by another client meanwhile; add it again, or discard the change"
            : "changed by another client meanwhile; merge both versions, or discard the change"
        return DeliveryFailure(
            .conflict, message: "\(kind.name) \(draft.key.id) was \(what)",
            status: isGone ? theirs.error?.response?.status.code : nil)
    }

    /// Returns the bytes of a model.
    ///
    /// A model that can't be encoded is reported as an incident, and has none.
    func bytes(_ model: Model) -> [UInt8]? {
        do {
            return try kind.codec.encode(model)
        } catch {
            reportUnencodable("\(kind.name) \(kind.text(model.id))", error)
            return nil
        }
    }

    /// Returns the verdict on a change that goes on waiting, or can't be sent at all.
    private func verdict(_ failure: WriteFailure) -> Delivery.Verdict {
        let excerpt = String(decoding: failure.excerpt.prefix(200), as: UTF8.self)
        if let response = failure.response { return .init(response, excerpt: excerpt, now: clock.now()) }
        if failure.code == .unencodable || failure.code == .unsupported {
            return .rejected(DeliveryFailure(.rejected, message: failure.message))
        }
        // The code of a failed read has the same name as that of the transport's error.
        let code = (failure.cause as? ReadFailure)?.code.name ?? failure.code.name
        return .init(TransportError(.init(code), message: failure.message), now: clock.now())
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

    static func unreadable(_ kind: String) -> DeliveryFailure {
        DeliveryFailure(
            .unreadable, message: "the bytes of the entry are not a change of \(kind); edit or discard it")
    }
}
