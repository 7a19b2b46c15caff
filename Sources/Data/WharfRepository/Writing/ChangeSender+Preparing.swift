internal import WharfCore
internal import WharfStorage

// Changes of a model whose entity tag is not known.
extension ChangeSender {
    /// A change that is to be sent, or that is decided without a request.
    enum PreparedChange {
        case send(OutgoingChange<Model>)
        case decided(WriteDecision<Model>)
        /// The model could not be read.
        case failed(WriteFailure)
    }

    /// Makes an edit on the stored row that it is sent for.
    ///
    /// That is the row with the entity tag of the edit, or any row if the edit is sent without a
    /// tag.
    ///
    /// The edit was made on a model with the changes before it. The service may have refused one of
    /// those, or changed a member by itself. Then the edited model as a whole would bring the old
    /// values back. So would an edit that is retried after a later one was delivered.
    private func onRow(
        _ draft: ChangeDraft<Model>, _ validator: String?, base: [UInt8]?
    ) async -> OutgoingChange<Model> {
        let asMade = OutgoingChange(draft: draft, base: base, validator: validator)
        guard let mine = draft.bytes, let base, !draft.isAddition, kind.codec.members != nil else { return asMade }
        do throws(StoreError) {
            guard let row = try await models.store.row(draft.key), row.validator != ValidatorChain.unseen,
                validator == nil || row.validator == validator, let now = coding.bytes(row),
                !coding.isSame(now, base), let edited = coding.edited(now, asFrom: base, to: mine)
            else { return asMade }
            return OutgoingChange(draft: edited, base: now, validator: validator)
        } catch {
            // The edit is sent as it was made. Its tag is right all the same.
            return asMade
        }
    }

    /// Compares a change with the service's model, if no entity tag protects it.
    ///
    /// Without a known tag, the service could not refuse the change.
    ///
    /// | the service has                          | an edit                    | a deletion    |
    /// |------------------------------------------|----------------------------|---------------|
    /// | the model that it was made on            | is sent                    | is sent       |
    /// | other values of other members            | is sent, merged with those | is a conflict |
    /// | another value of one of the same members | is a conflict              | is a conflict |
    /// | the model that it makes                  | is delivered               |               |
    /// | no such model                            | is a conflict              | is sent       |
    /// | no way to read one model                 | is sent                    | is sent       |
    /// | an answer that can't be used             | is rejected                | is rejected   |
    ///
    /// It is sent with the entity tag of the service's model, or without one if the service gives
    /// none. The kind's policy may settle a conflict for one of the sides.
    ///
    /// A change may be known to be made on another model than the service has, such as on a refused
    /// change. It is never sent without this comparison. If the source reads no single models, it
    /// is a conflict.
    ///
    /// - Parameter base: the bytes of the model that the change was made on.
    func prepared(
        _ draft: ChangeDraft<Model>, _ validator: String?, base: [UInt8]?, _ attempted: AttemptedChange?
    ) async -> PreparedChange {
        guard !ValidatorChain.isTag(validator), !draft.isAddition else {
            return .send(await onRow(draft, validator, base: base))
        }
        // Numbered as a request, so that an answer that is committed after this read counts as
        // later.
        return await models.requests.run { request in
            let theirs = await theirs(draft)
            if let error = theirs.error, !error.saysGone {
                if error.saysUnreadable {
                    return validator == ValidatorChain.unknown
                        ? .send(await onRow(draft, nil, base: base))
                        : .decided(WriteDecision(outcome: .conflict(theirs: theirs)))
                }
                let failure = WriteFailure.unsent(kind.name, error)
                return error.mayBeReadLater || error.response?.status == .unauthorized
                    ? .failed(failure) : .decided(WriteDecision(outcome: .rejected(failure)))
            }
            // A service that reads no single models may answer 404 as well. So the deletion is
            // sent, and its answer says whether the model is gone.
            if draft.model == nil, theirs.error?.saysGone == true {
                return .send(OutgoingChange(draft: draft, base: base, validator: nil))
            }
            if let made = await takeMade(draft, of: base, in: theirs, request, attempted) { return .decided(made) }
            if let base, let kept = theirs.kept, let found = coding.bytes(kept.value), coding.isSame(found, base) {
                return .send(OutgoingChange(draft: draft, base: base, validator: coding.entityTag(kept)))
            }
            return merge.merged(draft, of: base, with: theirs).map(PreparedChange.send)
                ?? .decided(WriteDecision(outcome: .conflict(theirs: theirs)))
        }
    }

    /// Reads the model after a delivered edit that no entity tag has protected.
    ///
    /// This is done if the kind says `checkAfterwards` for untagged edits.
    ///
    /// | the service has | the outcome |
    /// |---|---|
    /// | the values of the edit | delivered, with the service's model |
    /// | another value of one of its members, or no such model | a conflict |
    /// | no answer that can be used | delivered |
    func checked(_ change: OutgoingChange<Model>, _ decided: WriteDecision<Model>) async -> WriteDecision<Model> {
        guard kind.untaggedEdits == .checkAfterwards, case .delivered = decided.outcome, change.validator == nil,
            !change.draft.isAddition, let mine = change.draft.bytes, let base = change.base
        else { return decided }
        let theirs = await theirs(change.draft)
        guard let found = theirs.kept.flatMap({ coding.bytes($0.value) }) else {
            return theirs.error?.saysGone == true ? WriteDecision(outcome: .conflict(theirs: theirs)) : decided
        }
        // Made once more on the service's model: if that changes nothing, each value of the edit is
        // there.
        guard let edited = coding.edited(found, asFrom: base, to: mine)?.bytes, coding.isSame(edited, found) else {
            return WriteDecision(outcome: .conflict(theirs: theirs))
        }
        return WriteDecision(outcome: .delivered(theirs.value), taken: decided.taken)
    }
}

extension ReadFailure {
    /// Whether the source reads no single models.
    fileprivate var saysUnreadable: Bool {
        code == .unsupported || response?.status.code == 405 || response?.status.code == 501
    }
}
