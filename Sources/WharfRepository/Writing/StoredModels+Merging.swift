internal import WharfCore

// Three-way merges of the base of an edit, the edited model, and the model that the service has.
extension StoredModels {
    /// Makes an edit on what the service has, member by member.
    ///
    /// | the service has                          | the merged edit                   |
    /// |------------------------------------------|-----------------------------------|
    /// | what the edit was made on                | the edit                          |
    /// | other values of other members            | both                              |
    /// | the same new value of the same member    | both                              |
    /// | another value of one of the same members | none                              |
    ///
    /// - Parameters:
    ///   - mine: the bytes of the edited model.
    ///   - base: the bytes of the model that the edit was made on.
    ///   - theirs: the bytes of what the service has.
    /// - Returns: nil if both sides have changed the same member, or if the codec can't read the result.
    func merged(_ mine: [UInt8], of base: [UInt8], with theirs: [UInt8]) -> Draft? {
        let (schema, members) = (kind.codec.schema, kind.codec.members)
        let edit = Overlay(from: base, to: mine, schema: schema, members)
        let other = Overlay(from: base, to: theirs, schema: schema, members)
        guard isSame(theirs, base) || edit.isIndependent(of: other) else { return nil }
        return revised(theirs, by: edit)
    }

    /// Makes a refused edit on what the service has now.
    ///
    /// - Parameter base: the bytes of the model that the edit was made on.
    /// - Returns: nil if a person has to decide. The same holds if the service still has the base: then it has
    ///   refused the edit for another reason, and would refuse it again.
    func merged(_ draft: Draft, of base: [UInt8]?, with theirs: Snapshot<Model>) -> Merged? {
        guard !draft.isAddition, let mine = draft.bytes, let base, let kept = theirs.kept,
            let found = bytes(kept.value), !isSame(found, base), let merged = merged(mine, of: base, with: found)
        else { return nil }
        return Merged(draft: merged, base: found, validator: entityTag(kept))
    }

    /// Takes a change for delivered if the service has what it would make.
    ///
    /// An earlier attempt has arrived, or another client has made the same change. The service may have other new members
    /// too, such as the time of the last change.
    func takeMade(
        _ draft: Draft, of base: [UInt8]?, in theirs: Snapshot<Model>, _ request: UInt64, _ attempted: Attempted?,
        _ remember: Remember
    ) async -> Decided? {
        if isSame(draft, theirs) { return await take(draft, request, theirs.kept, attempted, remember) }
        guard !draft.isAddition, let mine = draft.bytes, let base, let found = theirs.value.flatMap(bytes),
            let merged = merged(mine, of: base, with: found)?.bytes, isSame(merged, found)
        else { return nil }
        var decided = await take(draft, request, theirs.kept, attempted, remember)
        // A later change was made without the other members. It is compared with what the service has.
        decided.taken?.validator = ValidatorChain.unknown
        return decided
    }

    /// An edit that was made on what the service has, with the bytes and the entity tag of that.
    struct Merged {
        let draft: Draft
        let base: [UInt8]
        let validator: String?
    }

    /// How often an edit without an outbox is made on what the service has, while another client goes on changing it.
    static var mostMerges: Int { 8 }
}
