internal import WharfCore
internal import WharfStorage

// Conflicts with the changes of other writers.
extension SetAsideChanges {
    /// Returns the conflicts that were set aside, the oldest first.
    ///
    /// Each has the service's model as it was last read.
    func conflicts() async throws(StoreError) -> [WriteConflict<Model>] {
        var conflicts: [WriteConflict<Model>] = []
        for (letter, change) in try await letters() {
            let row = try await models.store.row(coding.key(change.id))
            let stored = row.flatMap { coding.decoded($0)?.value }
            // The row's entity tag says nothing about a model that is read from the letter.
            if let conflict = coding.conflict(
                letter.entry, as: change.id,
                theirs: stored ?? letter.theirs.flatMap { coding.model($0, kind.codec.schema) },
                validator: stored == nil ? nil : row?.validator, letter: letter.id)
            {
                conflicts.append(conflict)
            }
        }
        return conflicts
    }

    /// Returns the conflicts that any process has set aside, the oldest first.
    func letters() async throws(StoreError) -> [(letter: DeadLetter, change: WaitingChange)] {
        var found: [(letter: DeadLetter, change: WaitingChange)] = []
        var last: DeliveryID?
        while true {
            let letters = try await journal.store.deadLetters(of: coding.account, after: last, limit: 100)
            for letter in letters where letter.destination == coding.route.destination && letter.conflict != nil {
                if let change = WaitingChange(letter.entry.payload) { found.append((letter, change)) }
            }
            // An empty page: all letters were read.
            guard let end = letters.last else { return found }
            last = end.id
        }
    }

    /// Settles a conflict that was set aside.
    ///
    /// The change is given up, or another one is sent in its place, made on the service's model.
    func resolve(
        _ conflict: WriteConflict<Model>, with resolution: WriteConflict<Model>.Resolution
    ) async throws(WriteFailure) {
        guard let letter = conflict.letter else { throw .settled(kind.name) }
        var draft: ChangeDraft<Model>?
        switch resolution {
        case .theirs: break
        case .mine:
            draft = try self.mine(conflict)
        case .merged(let model):
            // Another id would turn the resolution into a change of another model.
            guard kind.text(model.id) == kind.text(conflict.id) else {
                throw .another(kind.name, kind.text(conflict.id), kind.text(model.id))
            }
            draft = try coding.draft(model, isAddition: false)
        }
        // With members of theirs it is another change, so no later change was made on it.
        let isMine =
            if case .mine = resolution {
                conflict.mine.flatMap(coding.bytes).map { coding.isSame($0, draft?.bytes) } ?? true
            } else {
                false
            }
        // In a turn, so that no change of this process is made on the conflict while it is settled.
        try await journal.queue.turn { [self, draft] () throws(WriteFailure) in
            let refusal: WriteFailure?
            do throws(StoreError) { refusal = try await resolveInTurn(conflict, letter, draft, isMine: isMine) } catch {
                if error.code == .changed { throw .settled(kind.name) }
                let failure = coding.failed(error, "settle a conflict of \(kind.name)")
                throw WriteFailure(
                    .storeFailed, message: "\(failure.message); the conflict stays set aside", cause: error)
            }
            if let refusal { throw refusal }
        }
    }

    /// Returns the app's change of a conflict, made on the service's model.
    ///
    /// Members that only the other client has changed keep that client's values.
    private func mine(_ conflict: WriteConflict<Model>) throws(WriteFailure) -> ChangeDraft<Model> {
        guard let mine = conflict.mine else { return coding.draft(deleting: conflict.id) }
        let whole = try coding.draft(mine, isAddition: false)
        guard let edited = whole.bytes, let base = conflict.base.flatMap(coding.bytes),
            let theirs = conflict.theirs.flatMap(coding.bytes)
        else { return whole }
        return coding.edited(theirs, asFrom: base, to: edited) ?? whole
    }

    /// - Returns: the reason why the conflict can't be settled so; nil if it was settled.
    private func resolveInTurn(
        _ conflict: WriteConflict<Model>, _ letter: DeliveryID, _ draft: ChangeDraft<Model>?, isMine: Bool
    ) async throws(StoreError) -> WriteFailure? {
        if journal.queue.isEnded { throw .ended }
        try await journal.restore()
        // Another process may have set the change aside since this one looked last.
        try await journal.readUp(to: letter.entry)
        // The key is compared too: if another process has sent the letter again and it died again,
        // the person has not seen that conflict.
        guard let record = try await journal.store.record(of: letter.entry),
            case .dead(_, let failure)? = record.states[letter.destination], record.entry.key == conflict.key,
            let old = WaitingChange(record.entry.payload)
        else { return .settled(kind.name) }
        journal.take(record)
        guard let draft else {
            var commit = Commit()
            commit.discarded = [letter]
            // The store repeats the comparison in its transaction. A decision of another process
            // may come after the look above.
            commit.lookedAt = [letter: record.entry.key]
            try await journal.store.commit(commit)
            pending.apply(.settled(letter.entry))
            return nil
        }
        guard draft.model == nil || conflict.theirs != nil || failure.saysGone,
            let change = try await change(draft, in: conflict, of: old, madeOn: record.entry.base, isMine: isMine)
        else { return .unseen(kind.name, draft.key.id) }
        try await replace(record.entry, letter, by: change, on: conflict.theirs.flatMap(coding.bytes))
        return nil
    }

    /// Returns the change to send in the place of one in conflict.
    ///
    /// It is an edit of the service's model, or an addition if that is gone. Its entity tag is one
    /// of these:
    ///
    /// - the tag of the model that the person has seen,
    /// - none if that model has none: before the change is sent, it is compared with the service's
    ///   model if the kind reads before edits,
    /// - if the tag is not known, the old one, which no longer fits: the service then tells its
    ///   present model.
    ///
    /// - Returns: nil if nothing tells which model of the service the person has seen.
    private func change(
        _ draft: ChangeDraft<Model>, in conflict: WriteConflict<Model>, of old: WaitingChange,
        madeOn base: [UInt8]?, isMine: Bool
    ) async throws(StoreError) -> WaitingChange? {
        let draft = try await journal.identified(draft)
        let row = try await models.store.row(draft.key)
        // With the old entity tag, a change of a model that came without one would be refused each
        // time.
        let isUntagged = row?.validator == nil && shows(row, conflict.theirs)
        let known = ValidatorChain.isTag(old.validator) ? old.validator : nil
        var validator = conflict.validator ?? (isUntagged ? nil : known)
        var isAddition = draft.model != nil && conflict.theirs == nil
        if !isAddition, validator == nil {
            // The row has a tag that the person has not seen, so it may be a later model.
            if row?.validator != nil { return nil }
            // The row was changed since the person saw it. No entity tag would tell the service so.
            if conflict.theirs != nil, row.flatMap(coding.decoded) != nil, !shows(row, conflict.theirs) { return nil }
            // If theirs is known from the letter alone, the addition is sent again to ask the
            // service. It becomes an edit if theirs is the base, which the person saw at the
            // decision before.
            let isSeenTwice = conflict.theirs.flatMap(coding.bytes).map { coding.isSame($0, base) } == true
            isAddition = draft.model != nil && row == nil && old.operation == .add && !isSeenTwice
            if conflict.theirs != nil, kind.readsBeforeEdits { validator = ValidatorChain.unknown }
        }
        var new = WaitingChange(
            draft.model == nil ? .delete : isAddition ? .add : .edit, id: draft.key.id, schema: kind.codec.schema,
            isShown: old.isShown, chain: old.chain, bytes: draft.bytes ?? [])
        new.validator = isAddition ? nil : validator
        new.behind = old.behind
        new.former = isMine ? old.former ?? old.validator ?? "" : nil
        new.version = isMine ? old.version : journal.outbox.newID().text
        new.revision = isMine ? old.revision : nil
        return new
    }

    /// Returns whether a row has the model that the person has seen.
    private func shows(_ row: EntityRow?, _ theirs: Model?) -> Bool {
        guard let stored = row.flatMap(coding.decoded)?.value, let theirs, let bytes = coding.bytes(theirs) else {
            return false
        }
        return coding.isSame(bytes, coding.bytes(stored))
    }

    /// Replaces a change in conflict. For the service the new one is another request.
    ///
    /// The entry keeps its place, and the entries that depend on it.
    private func replace(
        _ entry: OutboxEntry, _ letter: DeliveryID, by change: WaitingChange, on base: [UInt8]?
    ) async throws(StoreError) {
        let key = entry.key
        var entry = entry
        // A service that remembers keys would answer the new bytes under the old key with the old
        // refusal.
        entry.key = IdempotencyKey(journal.outbox.newID().text)
        (entry.payload, entry.base) = (change.payload, base ?? entry.base)
        var commit = Commit()
        commit.rewritten = [Rewrite(entry.id, payload: entry.payload, key: entry.key, base: base)]
        // One commit: a kill between two would retry the letter with its old payload.
        commit.retried = [letter]
        commit.lookedAt = [letter: key]
        try await journal.store.commit(commit)
        // After the commit. If this came first and the commit failed, the change would be shown
        // although nothing is sent.
        pending.apply(.begun(coding.change(entry)))
    }
}

extension DeliveryFailure {
    /// Whether the service has no model that a change could be in conflict with.
    fileprivate var saysGone: Bool { status == 404 || status == 410 }
}

extension WriteFailure {
    static func settled(_ kind: String) -> WriteFailure {
        WriteFailure(
            .notFound,
            message:
                "the conflict of \(kind) was settled meanwhile; read the conflicts again"
        )
    }
    fileprivate static func another(_ kind: String, _ id: String, _ other: String) -> WriteFailure {
        WriteFailure(
            .invalid,
            message:
                "expected the id \(id) of the conflict in the merged \(kind), found \(other); give it that id")
    }

    fileprivate static func unseen(_ kind: String, _ id: String) -> WriteFailure {
        WriteFailure(
            .notFound,
            message:
                "the conflict of \(kind) \(id) was not settled: the service's version, which the change would replace, "
                + "is unknown; read the model and the conflicts again, or settle it with theirs")
    }
}
