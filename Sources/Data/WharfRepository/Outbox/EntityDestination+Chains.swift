internal import WharfCore
internal import WharfStorage

// The entity tags with which the changes of a model are sent.
extension EntityDestination {
    private func chainKey(_ id: String) -> EntityKey {
        EntityKey(account: coding.account, kind: ValidatorChain.kind(of: coding.kind.name), id: id)
    }

    /// Returns the chain of a change, as it is stored and as it is sent.
    ///
    /// The last entity tag of the sent one is that of the model that the change was made on. If
    /// changes before it were delivered, it is the tag to which they have led.
    ///
    /// - Parameter known: the change as ``PendingChanges`` has it.
    func chains(
        of known: PendingChange<Model>, _ key: EntityKey, _ entry: OutboxEntry
    ) async throws(DeliveryFailure) -> (stored: ValidatorChain, sent: ValidatorChain) {
        let change = WaitingChange(entry.payload)
        let (content, validator) = (coding.content(of: entry, change), known.validator)
        var stored = ValidatorChain(content.chain, from: content.validator)
        do throws(StoreError) {
            if let chain = try await journal.store.row(chainKey(key.id)).flatMap(ValidatorChain.init) {
                let isOfChange = chain.chain == content.chain
                stored = isOfChange ? chain : chain.restarted(content.chain, from: content.validator)
            }
        } catch {
            throw DeliveryFailure(.offline, message: "the store can't be read now: \(error.message)")
        }
        // A merged change was made on the service's model, regardless of the changes before it.
        let (isMerged, former) = (change?.version != nil, change?.former)
        var sent =
            isMerged && former == nil && validator == nil
            ? stored.restarted(from: nil)
            : stored.continued(from: former ?? validator, behind: isMerged ? [] : content.behind)
        // The change of a person's decision counts as made on its first tag, and its tag follows as
        // a step.
        if former != nil { sent.pass(to: validator, by: content.name) }
        // With a fitting entity tag, the edit would bring the fields of the refused change to the
        // service.
        if change?.operation == .edit, !isMerged, former == nil, stored.hasRefused(content.behind) {
            sent = stored.restarted(from: ValidatorChain.unseen)
        }
        return (stored, sent)
    }

    /// Returns the row change that records a conflict.
    ///
    /// It is committed with the settlement of the conflict.
    ///
    /// - Parameter stored: the chain as it is in the store.
    func refusing(_ entry: OutboxEntry, _ draft: ChangeDraft<Model>, _ stored: ValidatorChain) -> [EntityChange] {
        if journal.queue.isEnded { return [] }
        var chain = stored
        chain.refuse(.init(entry.id, WaitingChange(entry.payload)))
        return [.put(chain.row(chainKey(draft.key.id), asOf: models.clock.now()))]
    }

    /// Returns the row changes to commit with the settlement of a delivered change.
    ///
    /// - Parameter sent: the chain with which the change was sent.
    func passing(
        _ entry: OutboxEntry, _ draft: ChangeDraft<Model>, _ decided: WriteDecision<Model>, _ sent: ValidatorChain
    ) -> [EntityChange] {
        // After a sign-out nothing of the account may come into the store.
        guard case .delivered = decided.outcome, !journal.queue.isEnded else { return [] }
        let key = chainKey(id(of: draft, after: decided))
        // A deleted model has no tag. A new model of the same id begins a new chain.
        if draft.model == nil { return [.remove(key)] }
        var chain = sent
        chain.pass(to: decided.taken?.validator, by: .init(entry.id, WaitingChange(entry.payload)))
        return chain == sent ? [] : [.put(chain.row(key, asOf: models.clock.now()))]
    }
}
