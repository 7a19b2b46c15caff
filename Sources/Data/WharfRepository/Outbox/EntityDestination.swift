internal import WharfCore
internal import WharfStorage

/// The destination that sends a repository's waiting changes to its service.
///
/// Invariants:
///
/// - A change is sent under the idempotency key of its entry and content, so a retry has the same
///   key.
/// - The row of an answer is in the store before its change stops being pending.
/// - The entity tags of a model's changes (``ValidatorChain``) are committed with the settlements.
struct EntityDestination<Model: Identifiable & Sendable>: Destination where Model.ID: Sendable {
    let name: String
    let kinds: Set<String>
    let journal: PendingJournal<Model>
    let sender: ChangeSender<Model>
    /// Called when the service has decided on a change.
    private let settle: @Sendable (ChangeDraft<Model>, WriteDecision<Model>) async -> Void

    var coding: ModelCoding<Model> { journal.coding }
    var models: StoredModels<Model> { sender.models }

    init(
        _ journal: PendingJournal<Model>, _ sender: ChangeSender<Model>,
        settle: @escaping @Sendable (ChangeDraft<Model>, WriteDecision<Model>) async -> Void
    ) {
        name = journal.coding.route.destination
        kinds = [name]
        (self.journal, self.sender, self.settle) = (journal, sender, settle)
    }

    func deliver(_ entry: OutboxEntry) async -> Delivery {
        do throws(DeliveryFailure) {
            let draft = try coding.draft(entry)
            let (delivery, decided) = try await deliver(entry, draft)
            // The lists become stale before the settlement is committed. A kill after the
            // settlement would otherwise leave them fresh.
            if let decided { await settle(draft, decided) }
            return delivery
        } catch {
            switch error.code {
            case .offline: return Delivery(.offline(error))
            // Another process has settled the entry: nothing was sent, and the journal drops this
            // answer.
            case .settledElsewhere: return Delivery(.retry(error))
            default: return Delivery(.rejected(error))
            }
        }
    }

    func rewriting(_ payload: [UInt8], of kind: OutboxEntry.Kind, ids: [String: String]) throws -> [UInt8] {
        guard let change = WaitingChange(payload) else { throw DeliveryFailure.unreadable(name) }
        // The entry depends on another model's addition, so its own id stays.
        guard let given = ids[change.id] else { return payload }
        return try coding.identified(change, as: given).payload
    }
}
