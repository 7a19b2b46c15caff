internal import WharfCore
internal import WharfStorage

// Conflicts that need no person.
extension EntityDestination {
    /// Returns the payload to send in the place of a change in conflict.
    ///
    /// nil sets the change aside.
    func merging(_ record: ConflictRecord) async -> [UInt8]? {
        guard let known = journal.pending.change(record.entry.id),
            let change = WaitingChange(record.entry.payload)
        else { return nil }
        // The cheapest way first: the same change under the service's new tag, then a merge by
        // member, then the kind's own merge.
        if let again = again(change, on: record.entry.base, known) { return again.payload }
        var draft = mergedByMember(record, known)
        if draft == nil { draft = await mergedByKind(record, change, known) }
        guard let draft else {
            // Nothing can be merged, so the change is no longer shown. A person decides about it.
            journal.pending.apply(.decided(record.entry.id, known.failure, at: models.clock.now()))
            let theirs = known.theirs ?? Snapshot(kept: nil, error: .nothingKept)
            journal.pending.fulfil(record.entry.id, .conflict(theirs: theirs))
            return nil
        }
        // A model that is gone is added again. One without a tag is compared with the service's
        // before it is sent, if the kind reads before edits.
        let (isGone, tag) = (known.theirs?.kept == nil, known.theirs?.kept.flatMap(coding.entityTag))
        let unknown = isGone || !coding.kind.readsBeforeEdits ? nil : ValidatorChain.unknown
        var merged = WaitingChange(
            draft.model == nil ? .delete : isGone ? .add : .edit, id: known.key.id, schema: coding.kind.codec.schema,
            isShown: change.isShown, chain: change.chain, bytes: draft.bytes ?? [])
        merged.validator = tag ?? unknown
        merged.behind = change.behind
        merged.version = journal.outbox.newID().text
        // The merged change is shown at once. The journal may not take it, and then sends its own
        // version.
        var rewritten = record.entry
        rewritten.base = record.theirs
        journal.pending.apply(.merged(rewritten.id, coding.content(of: rewritten, merged)))
        return merged.payload
    }

    /// Returns the same change with the entity tag of the service's model.
    ///
    /// That is done if the change was made on that very model, so that its maker has seen it.
    /// Otherwise the result is nil.
    private func again(_ change: WaitingChange, on base: [UInt8]?, _ known: PendingChange<Model>) -> WaitingChange? {
        guard change.id == known.key.id, let theirs = known.theirs?.kept,
            let validator = coding.entityTag(theirs), validator != change.validator,
            let found = coding.bytes(theirs.value), coding.isSame(found, base)
        else { return nil }
        var resent = change
        if resent.operation == .add { resent.operation = .edit }
        resent.validator = validator
        return resent
    }

    /// Merges a change with the service's model, member by member.
    ///
    /// nil if both change the same member, and the kind's policy does not decide.
    private func mergedByMember(_ record: ConflictRecord, _ known: PendingChange<Model>) -> ChangeDraft<Model>? {
        guard let theirs = known.theirs else { return nil }
        do throws(DeliveryFailure) {
            var draft = try coding.draft(record.entry)
            if draft.key != known.key { draft = try coding.identified(draft, as: known.key.id) }
            let base = coding.inCurrentSchema(record.entry.base, of: record.entry)
            return sender.merge.merged(draft, of: base, with: theirs)?.draft
        } catch {
            // The destination reports an entry that can't be read.
            return nil
        }
    }

    private func mergedByKind(
        _ record: ConflictRecord, _ change: WaitingChange, _ known: PendingChange<Model>
    ) async -> ChangeDraft<Model>? {
        // A merge needs to know the service's model, or that it is gone.
        guard let merge = coding.kind.merge, let theirs = known.theirs,
            theirs.kept != nil || theirs.error?.saysGone == true,
            let conflict = coding.conflict(record.entry, as: known.key.id, theirs: theirs.value, letter: nil),
            let merged = await merge(conflict)
        else { return nil }
        return draft(of: merged, for: known.key.id)
    }

    // In the asynchronous function, Swift 6.3's optimiser crashes over these errors.
    private func draft(of merged: Model, for id: String) -> ChangeDraft<Model>? {
        do {
            guard coding.kind.text(merged.id) == id else {
                throw DeliveryFailure(
                    .conflict,
                    message:
                        "expected the id \(id) of the conflict in the merged \(coding.kind.name), found "
                        + "\(coding.kind.text(merged.id)); return a model with the id of the conflict"
                )
            }
            return try coding.draft(merged, isAddition: false)
        } catch {
            coding.reportUnencodable("a merged \(coding.kind.name) \(id)", error)
            return nil
        }
    }
}
