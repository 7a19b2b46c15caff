internal import WharfCore

extension StoredModels {
    /// Reads the model after a delivered edit that no entity tag has protected.
    ///
    /// This is done if the kind says `checkAfterwards` for untagged edits.
    ///
    /// | the service has | the outcome |
    /// |---|---|
    /// | the values of the edit | delivered, with the service's model |
    /// | another value of one of its members, or no such model | a conflict |
    /// | no answer that can be used | delivered |
    func checked(_ change: OutgoingChange, _ decided: WriteDecision) async -> WriteDecision {
        guard kind.untaggedEdits == .checkAfterwards, case .delivered = decided.outcome, change.validator == nil,
            !change.draft.isAddition, let mine = change.draft.bytes, let base = change.base
        else { return decided }
        let theirs = await theirs(change.draft)
        guard let found = theirs.kept.flatMap({ bytes($0.value) }) else {
            return theirs.error?.saysGone == true ? WriteDecision(outcome: .conflict(theirs: theirs)) : decided
        }
        // Made once more on the service's model: if that changes nothing, each value of the edit is
        // there.
        let edit = Overlay(from: base, to: mine, schema: kind.codec.schema, kind.codec.members)
        guard let edited = revised(found, by: edit)?.bytes, isSame(edited, found) else {
            return WriteDecision(outcome: .conflict(theirs: theirs))
        }
        return WriteDecision(outcome: .delivered(theirs.value), taken: decided.taken)
    }
}
