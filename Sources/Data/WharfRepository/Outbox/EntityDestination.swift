internal import WharfCore

/// The destination that sends a repository's waiting changes to its service.
struct EntityDestination<Model: Identifiable & Sendable>: Destination where Model.ID: Sendable {
    let name: String
    let kinds: Set<String>
    private let stored: StoredModels<Model>
    private let remember: StoredModels<Model>.Remember
    /// Called when the service has decided on a change.
    private let settle: @Sendable (StoredModels<Model>.Draft, StoredModels<Model>.Decided) async -> Void

    init(
        _ stored: StoredModels<Model>, remember: @escaping StoredModels<Model>.Remember,
        settle: @escaping @Sendable (StoredModels<Model>.Draft, StoredModels<Model>.Decided) async -> Void
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
            let (delivery, decided) = try await stored.deliver(entry, draft, remember: remember)
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
        guard let given = ids[change.id] else { return payload }
        return try stored.identified(change, as: given).payload
    }

    func merging(_ conflict: ConflictRecord) async -> [UInt8]? { await stored.merging(conflict) }
}
