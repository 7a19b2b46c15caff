internal import WharfCore

// Edits of a model whose entity tag is not known.
extension StoredModels {
    /// A change that is to be sent, or that is decided without.
    enum Prepared {
        /// - Parameter isMerged: with what somebody else has changed. Changes that were made on the edit are not made on
        ///   that.
        case send(Draft, validator: String?, isMerged: Bool)
        case decided(Decided)
        /// The model could not be read.
        case failed(WriteFailure)
    }

    /// Holds an edit against what the service has, if no entity tag is known by which the service could refuse it.
    ///
    /// | the service has                          | the edit                             |
    /// |------------------------------------------|--------------------------------------|
    /// | what it was made on                      | is sent                              |
    /// | other values of other members            | is sent, merged with what is there   |
    /// | another value of one of the same members | is in conflict                       |
    /// | what it makes                            | is delivered                         |
    /// | no such model                            | is in conflict                       |
    /// | no way to read one model                 | is sent                              |
    ///
    /// It is sent with the entity tag of what the service has, or without one at a service that gives none.
    ///
    /// An edit that was made on one that has been refused is in conflict with whatever the service has.
    ///
    /// - Parameter base: what it was made on.
    func prepared(
        _ draft: Draft, _ validator: String?, base: [UInt8]?, _ attempted: Attempted?, _ remember: Remember
    ) async -> Prepared {
        let (isUnseen, isUnknown) = (validator == ValidatorChain.unseen, validator == ValidatorChain.unknown)
        // A deletion without a tag is sent on no condition.
        guard isUnseen || isUnknown && draft.model != nil, !draft.isAddition else {
            return .send(draft, validator: isUnknown ? nil : validator, isMerged: false)
        }
        return await requests.run { request in
            let theirs = await theirs(draft)
            if let error = theirs.error {
                if error.code == .unsupported { return .send(draft, validator: nil, isMerged: false) }
                if error.mayBeReadLater || error.response?.status == .unauthorized {
                    return .failed(.unread(kind.name, error))
                }
            }
            // Sent before, or made by somebody else as well.
            if isSame(draft, theirs) { return .decided(await take(draft, request, theirs.kept, attempted, remember)) }
            let (schema, members) = (kind.codec.schema, kind.codec.members)
            guard !isUnseen, let base, let mine = draft.bytes, let kept = theirs.kept, let found = bytes(kept.value)
            else { return .decided(Decided(outcome: .conflict(theirs: theirs))) }
            let edit = Overlay(from: base, to: mine, schema: schema, members)
            let other = Overlay(from: base, to: found, schema: schema, members)
            guard isSame(found, base) || edit.isIndependent(of: other), let revised = revised(found, by: edit),
                let bytes = revised.bytes
            else { return .decided(Decided(outcome: .conflict(theirs: theirs))) }
            if isSame(bytes, found) {
                var decided = await take(draft, request, kept, attempted, remember)
                decided.taken?.validator = validator
                return .decided(decided)
            }
            return .send(revised, validator: kept.response?.strongValidator, isMerged: !isSame(found, base))
        }
    }
}

extension WriteFailure {
    fileprivate static func unread(_ kind: String, _ error: ReadFailure) -> WriteFailure {
        // A 2xx was about the read.
        let response = error.response.flatMap { $0.status.kind == .successful ? nil : $0 }
        return WriteFailure(
            WriteFailure(error).code,
            message:
                "the service is asked for the \(kind) before an edit of it is sent without an entity tag, and did not "
                + "say what it has: \(error.message); nothing was sent",
            cause: error, response: response)
    }
}
