internal import WharfCore

/// Three-way merges: the base of a change, the changed model, and the model that the service has.
///
/// The kind's policy settles a conflict for one of the sides.
struct ChangeMerge<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let coding: ModelCoding<Model>

    private var kind: EntityKind<Model> { coding.kind }

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
    func merged(_ mine: [UInt8], of base: [UInt8], with theirs: [UInt8]) -> ChangeDraft<Model>? {
        let edit = coding.overlay(from: base, to: mine)
        let other = coding.overlay(from: base, to: theirs)
        // Both have changed different members, or have given one the same value.
        if coding.isSame(theirs, base) || edit.isIndependent(of: other) { return coding.revised(theirs, by: edit) }
        switch kind.conflictPolicy {
        case .ask: return nil
        case .mine: return coding.revised(theirs, by: edit)
        case .theirs: return coding.revised(mine, by: other)
        }
    }

    /// Makes a refused change on the model that the service has now.
    ///
    /// - Parameter base: the bytes of the model that the change was made on.
    /// - Returns: nil if a person has to decide. The same holds if the service still has the base:
    ///   then it has refused the change for another reason, and would refuse it again.
    func merged(
        _ draft: ChangeDraft<Model>, of base: [UInt8]?, with theirs: Snapshot<Model>
    ) -> OutgoingChange<Model>? {
        guard let kept = theirs.kept else {
            // The service would refuse an addition again.
            guard theirs.error?.saysGoneForCertain == true, kind.conflictPolicy == .mine, draft.model != nil,
                !draft.isAddition
            else { return nil }
            return OutgoingChange(draft: draft.asAddition, base: nil, validator: nil, isMerged: true)
        }
        guard let found = coding.bytes(kept.value), !coding.isSame(found, base) else { return nil }
        // The model may be that of an earlier attempt, with the edits of another client. A person
        // has to look at it.
        if draft.isAddition { return nil }
        guard let mine = draft.bytes else {
            guard kind.conflictPolicy == .mine else { return nil }
            return OutgoingChange(draft: draft, base: found, validator: coding.entityTag(kept), isMerged: true)
        }
        guard let base, let merged = merged(mine, of: base, with: found) else { return nil }
        return OutgoingChange(draft: merged, base: found, validator: coding.entityTag(kept), isMerged: true)
    }

    /// Returns the change to record as delivered, if there is nothing left to send.
    ///
    /// nil if the change still has to be sent or decided.
    func remains(of draft: ChangeDraft<Model>, of base: [UInt8]?, in theirs: Snapshot<Model>) -> ChangeDraft<Model>? {
        let isGivenUp = kind.conflictPolicy == .theirs
        guard let model = theirs.value else {
            let isGone = theirs.error?.saysGoneForCertain == true && draft.model != nil && !draft.isAddition
            return isGone && isGivenUp ? coding.draft(deleting: draft.id) : nil
        }
        guard let found = coding.bytes(model), !draft.isAddition, let mine = draft.bytes else {
            guard isGivenUp, let found = coding.bytes(model), !coding.isSame(found, base) else { return nil }
            return ChangeDraft(id: draft.id, key: draft.key, model: model, bytes: found, isAddition: false)
        }
        guard let base, let merged = merged(mine, of: base, with: found)?.bytes, coding.isSame(merged, found) else {
            return nil
        }
        return draft
    }

    /// Returns whether the service has the result of the change already.
    func isSame(_ draft: ChangeDraft<Model>, _ theirs: Snapshot<Model>) -> Bool {
        guard let mine = draft.bytes else { return theirs.error?.saysGone == true }
        guard !draft.isAddition, let kept = theirs.kept else { return false }
        return coding.bytes(kept.value).map { coding.isSame(mine, $0) } ?? false
    }
}

extension ReadFailure {
    /// Whether the model is gone for certain.
    ///
    /// A 404 is not enough: a service that reads no single models answers so to each read.
    var saysGoneForCertain: Bool { code == .gone || isAnswer && response?.status == .gone }
}
