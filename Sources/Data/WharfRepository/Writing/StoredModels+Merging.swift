internal import WharfCore

// Three-way merges of the base of an edit, the edited model, and the model that the service has.
extension StoredModels {
    /// Makes an edit on the service's model, member by member.
    ///
    /// | the service has                          | the merged edit                    |
    /// |------------------------------------------|------------------------------------|
    /// | the model that the edit was made on      | the edit                           |
    /// | other values of other members            | both                               |
    /// | the same new value of the same member    | both                               |
    /// | another value of one of the same members | none, or as the kind's policy says |
    ///
    /// - Parameters:
    ///   - mine: the bytes of the edited model.
    ///   - base: the bytes of the model that the edit was made on.
    ///   - theirs: the bytes of the service's model.
    /// - Returns: nil if a person has to decide, or if the codec can't read the result.
    func merged(_ mine: [UInt8], of base: [UInt8], with theirs: [UInt8]) -> Draft? {
        let (schema, members) = (kind.codec.schema, kind.codec.members)
        let edit = Overlay(from: base, to: mine, schema: schema, members)
        let other = Overlay(from: base, to: theirs, schema: schema, members)
        // Both have changed different members, or have given one the same value.
        if isSame(theirs, base) || edit.isIndependent(of: other) { return revised(theirs, by: edit) }
        switch kind.conflictPolicy {
        case .ask: return nil
        case .mine: return revised(theirs, by: edit)
        case .theirs: return revised(mine, by: other)
        }
    }

    /// Makes a refused change on the model that the service has now.
    ///
    /// - Parameter base: the bytes of the model that the change was made on.
    /// - Returns: nil if a person has to decide. The same holds if the service still has the base:
    ///   then it has refused the change for another reason, and would refuse it again.
    func merged(_ draft: Draft, of base: [UInt8]?, with theirs: Snapshot<Model>) -> OutgoingChange? {
        guard let kept = theirs.kept else {
            // The service would refuse an addition again.
            guard theirs.error?.saysGoneForCertain == true, kind.conflictPolicy == .mine, draft.model != nil,
                !draft.isAddition
            else { return nil }
            return OutgoingChange(draft: draft.asAddition, base: nil, validator: nil, isMerged: true)
        }
        guard let found = bytes(kept.value), !isSame(found, base) else { return nil }
        // The model may be that of an earlier attempt, with the edits of another client. A person
        // has to look at it.
        if draft.isAddition { return nil }
        guard let mine = draft.bytes else {
            guard kind.conflictPolicy == .mine else { return nil }
            return OutgoingChange(draft: draft, base: found, validator: entityTag(kept), isMerged: true)
        }
        guard let base, let merged = merged(mine, of: base, with: found) else { return nil }
        return OutgoingChange(draft: merged, base: found, validator: entityTag(kept), isMerged: true)
    }

    /// Takes a change for delivered if there is nothing left to send.
    ///
    /// There are two cases:
    ///
    /// - The service has the result of the change: an earlier attempt has arrived, or another
    ///   client has made the same change. The service may have other new members too, such as the
    ///   time of the last change.
    /// - The kind's policy gives the change up for the model of the service.
    func takeMade(
        _ draft: Draft, of base: [UInt8]?, in theirs: Snapshot<Model>, _ request: UInt64, _ attempted: AttemptedChange?,
        _ remember: MemoryUpdate
    ) async -> WriteDecision? {
        if isSame(draft, theirs) { return await take(draft, request, theirs.kept, attempted, remember) }
        guard let left = remains(of: draft, of: base, in: theirs) else { return nil }
        var decided = await take(left, request, theirs.kept, attempted, remember)
        // A later change was made without the other members. So it is compared with the service's
        // model before it is sent.
        decided.taken?.validator = ValidatorChain.unknown
        return decided
    }

    /// Returns the change to record as delivered, if there is nothing left to send.
    ///
    /// nil if the change still has to be sent or decided.
    private func remains(of draft: Draft, of base: [UInt8]?, in theirs: Snapshot<Model>) -> Draft? {
        let isGivenUp = kind.conflictPolicy == .theirs
        guard let model = theirs.value else {
            let isGone = theirs.error?.saysGoneForCertain == true && draft.model != nil && !draft.isAddition
            return isGone && isGivenUp ? self.draft(deleting: draft.id) : nil
        }
        guard let found = bytes(model), !draft.isAddition, let mine = draft.bytes else {
            guard isGivenUp, let found = bytes(model), !isSame(found, base) else { return nil }
            return Draft(id: draft.id, key: draft.key, model: model, bytes: found, isAddition: false)
        }
        guard let base, let merged = merged(mine, of: base, with: found)?.bytes, isSame(merged, found) else {
            return nil
        }
        return draft
    }

    /// The most merges of one change without an outbox.
    ///
    /// After these, one more change of another client is a conflict.
    static var mostMerges: Int { 8 }
}

extension ReadFailure {
    /// Whether the model is gone for certain.
    ///
    /// A 404 is not enough: a service that reads no single models answers so to each read.
    var saysGoneForCertain: Bool { code == .gone || isAnswer && response?.status == .gone }
}
