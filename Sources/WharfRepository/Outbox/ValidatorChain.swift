internal import WharfCore

/// The entity tags that a model has had at the service, one after the other, as changes of one chain were delivered: a later
/// change of the chain that was made on any of them was made on what this device has sent since, and is no conflict; also one
/// that another process makes, once that has seen those that wait before it.
///
/// It lies beside the model in the store and goes there with the settlement, whoever delivers: who sends the next may be another
/// process.
struct ValidatorChain: Hashable {
    /// See ``WaitingChange/chain``.
    let chain: String
    /// Empty for none.
    private(set) var passed: [String]

    /// A row has no more; the first is what most that wait were made on.
    private static let most = 256

    /// One that begins with what a change is made on.
    init(_ chain: String, from validator: String?) { (self.chain, passed) = (chain, [validator ?? ""]) }

    /// nil where the row is none.
    init?(_ row: EntityRow) {
        guard let texts = ListRow.ids(row), let chain = texts.first, texts.count > 1 else { return nil }
        (self.chain, passed) = (chain, Array(texts.dropFirst()))
    }

    func row(_ key: EntityKey, asOf: WallTime) -> EntityRow {
        EntityRow(key: key, schema: ListRow.schema, bytes: ListRow.bytes([chain] + passed), asOf: asOf)
    }

    func contains(_ validator: String?) -> Bool { passed.contains(validator ?? "") }

    /// nil for none.
    var last: String? { passed.last.flatMap { $0.isEmpty ? nil : $0 } }

    mutating func pass(to validator: String?) {
        guard last != validator else { return }
        passed.append(validator ?? "")
        if passed.count > Self.most { passed.remove(at: 1) }
    }

    static func kind(of name: String) -> String { name + "/validators" }
}

extension StoredModels {
    private func chainKey(_ id: String) -> EntityKey {
        EntityKey(account: account, kind: ValidatorChain.kind(of: kind.name), id: id)
    }

    /// What a change is sent with: the entity tag of what it was made on, or of what the changes before it have made of that.
    func chain(
        of change: UInt64, _ key: EntityKey, named name: String, _ waiting: WaitingChanges<Model>
    ) async throws(DeliveryFailure) -> ValidatorChain {
        let validator = pending.validator(of: change, key)
        do throws(StoreError) {
            let known = try await waiting.outbox.store.row(chainKey(key.id)).flatMap(ValidatorChain.init)
            if let known, known.chain == name, known.contains(validator) { return known }
        } catch {
            throw DeliveryFailure(.offline, message: "the store can't be read now: \(error.message)")
        }
        return ValidatorChain(name, from: validator)
    }

    /// What goes into the store with the settlement of a change that was delivered.
    ///
    /// - Parameter sent: with which it was sent.
    func passing(_ draft: Draft, _ decided: Decided, _ sent: ValidatorChain) -> [EntityChange] {
        guard case .delivered(let model) = decided.outcome, !line.isEnded else { return [] }
        let key = chainKey(model.map { kind.text($0.id) } ?? draft.key.id)
        if draft.model == nil { return [.remove(key)] }
        var chain = sent
        chain.pass(to: decided.validator)
        return chain == sent ? [] : [.put(chain.row(key, asOf: clock.now()))]
    }

    /// Removes chains that nobody can need any more: nothing waits, and they are older than what may just be on its way there.
    func removeOldChains() async {
        do throws(StoreError) {
            let now = clock.now()
            let rows = try await store.rows(RowQuery(), of: account, kind: ValidatorChain.kind(of: kind.name))
            let old = rows.filter { now - $0.asOf > .seconds(86_400) }.map { EntityChange.remove($0.key) }
            if !old.isEmpty, !line.isEnded { try await store.commit(old) }
        } catch {
            _ = failed(error, "clear what is known of delivered changes of \(kind.name)")
        }
    }
}
