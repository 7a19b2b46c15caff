internal import WharfCore

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
    let stored: StoredModels<Model>
    let remember: StoredModels<Model>.MemoryUpdate
    /// Called when the service has decided on a change.
    private let settle: @Sendable (StoredModels<Model>.Draft, StoredModels<Model>.WriteDecision) async -> Void

    init(
        _ stored: StoredModels<Model>, remember: @escaping StoredModels<Model>.MemoryUpdate,
        settle: @escaping @Sendable (StoredModels<Model>.Draft, StoredModels<Model>.WriteDecision) async -> Void
    ) {
        name = WaitingChange.kind(of: stored.kind.name).name
        kinds = [name]
        self.stored = stored
        self.remember = remember
        self.settle = settle
    }

    func deliver(_ entry: OutboxEntry) async -> Delivery {
        do throws(DeliveryFailure) {
            let draft = try stored.draft(entry)
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
        return try stored.identified(change, as: given).payload
    }
}
