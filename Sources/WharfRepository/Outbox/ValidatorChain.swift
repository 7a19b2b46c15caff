internal import WharfCore

/// The entity tags that a model has had at the service, one after the other, as changes of one
/// chain were delivered, and by which of them. A later change of the chain whose maker knew of
/// these was made on what this device has sent since, and is no conflict, whatever process has made
/// it.
///
/// It lies beside the model in the store and goes there with the settlement, whoever delivers: who
/// sends the next may be another process.
struct ValidatorChain: Hashable {
    struct Step: Hashable {
        /// Whose delivery led to it; empty for what the first was made on.
        let change: WaitingChange.Name
        /// Empty for none.
        let validator: String
    }

    /// See ``WaitingChange/chain``.
    let chain: String
    private(set) var steps: [Step]
    /// The model's entries that were in conflict and have not been delivered since, of any chain.
    ///
    /// A change on top of such an entry has its fields too, even if a person has discarded the
    /// entry.
    private(set) var refused: [String] = []

    /// In a row, the mark of a refused entry in the place of a validator.
    private static let refusal = "!"

    /// In the place of an entity tag that is not known: the change is held against what the service
    /// has before it is sent.
    static let unknown = "\"unknown\""

    /// The same for a change of which is known that it was made on something else than the service
    /// has. If the service can't be asked, the change is in conflict.
    static let unseen = "\"unseen\""

    /// Whether a change can be sent with it, or without a tag: ``unseen`` and ``unknown`` are never
    /// sent.
    static func isTag(_ validator: String?) -> Bool { validator != unseen && validator != unknown }

    /// A row has no more; the first is what most that wait were made on.
    private static let most = 256

    /// One that begins with what a change is made on.
    init(_ chain: String, from validator: String?) {
        (self.chain, steps) = (chain, [Step(change: .init(""), validator: validator ?? "")])
    }

    /// nil where the row is none.
    init?(_ row: EntityRow) {
        guard let texts = ListRow.ids(row), let chain = texts.first, texts.count > 2, !texts.count.isMultiple(of: 2)
        else { return nil }
        self.chain = chain
        steps = []
        for index in stride(from: 1, to: texts.count, by: 2) {
            let (change, validator) = (texts[index], texts[index + 1])
            if validator == Self.refusal {
                refused.append(change)
            } else {
                steps.append(Step(change: .init(change), validator: validator))
            }
        }
    }

    /// A chain of the same model without a delivered change.
    ///
    /// - Parameter chain: the name of the chain; nil for the name of this one.
    func restarted(_ chain: String? = nil, from validator: String?) -> ValidatorChain {
        var chain = ValidatorChain(chain ?? self.chain, from: validator)
        chain.refused = refused
        return chain
    }

    func row(_ key: EntityKey, asOf: WallTime) -> EntityRow {
        let texts =
            [chain] + steps.flatMap { [$0.change.text, $0.validator] }
            + refused.flatMap { [$0, Self.refusal] }
        return EntityRow(key: key, schema: ListRow.schema, bytes: ListRow.bytes(texts), asOf: asOf)
    }

    /// nil for none.
    var last: String? { steps.last?.validator.nonEmpty }

    /// With what a change of this chain is sent. Where something was delivered of which its maker
    /// did not know, that is not what is there now, and the service says so.
    ///
    /// - Parameters:
    ///   - validator: of what it was made on.
    ///   - behind: of which changes before it its maker knew, as they were then.
    func continued(from validator: String?, behind: [WaitingChange.Name]) -> ValidatorChain {
        let (validator, known) = (validator ?? "", Set(behind))
        let entries = Set(behind.map(\.entry))
        let isTagged = steps.contains { !$0.validator.isEmpty }
        // Without an entity tag it would be sent on no condition.
        func given(_ earlier: ArraySlice<Step>) -> String? {
            earlier.last { !$0.validator.isEmpty }?.validator ?? (isTagged ? Self.unseen : nil)
        }
        let last = steps.lastIndex { $0.validator == validator || entries.contains($0.change.entry) }
        guard var last else { return restarted(from: validator) }
        guard let base = steps.lastIndex(where: { $0.validator == validator }) else {
            // One that it was made on was made anew since, on something else.
            return restarted(from: validator.nonEmpty ?? given(steps[..<last]))
        }
        // Of one that was made anew its maker has to know just that, also where it knows of a later
        // one.
        let anew = steps[base...last].dropFirst().firstIndex { $0.change.isAnew && !known.contains($0.change) }
        if let anew { last = anew - 1 }
        if last == steps.count - 1 { return self }
        return restarted(from: given(steps[...last]))
    }

    /// Whether one of the changes was in conflict.
    func hasRefused(_ changes: [WaitingChange.Name]) -> Bool { changes.contains { refused.contains(String($0.entry)) } }

    mutating func refuse(_ change: WaitingChange.Name) {
        let entry = String(change.entry)
        refused.removeAll { $0 == entry }
        refused.append(entry)
        if refused.count > Self.most { refused.removeFirst() }
    }

    mutating func pass(to validator: String?, by change: WaitingChange.Name) {
        refused.removeAll { $0 == change.entry }
        // By the same entity tag it is the same model. What no tag says is something else each
        // time, where any are given.
        if validator == nil ? steps.allSatisfy(\.validator.isEmpty) : last == validator { return }
        steps.append(Step(change: change, validator: validator ?? ""))
        if steps.count > Self.most { steps.remove(at: 1) }
    }

    static func kind(of name: String) -> String { name + "/validators" }
}

extension StoredModels {
    private func chainKey(_ id: String) -> EntityKey {
        EntityKey(account: account, kind: ValidatorChain.kind(of: kind.name), id: id)
    }

    /// The chain of a change, as it is stored and as the change is sent with it.
    ///
    /// Its last entity tag is that of the model that the change was made on, or the tag to which
    /// the changes before it have led.
    ///
    /// - Parameter known: the change as it is folded.
    func chains(
        of known: PendingChange<Model>, _ key: EntityKey, _ entry: OutboxEntry, _ journal: PendingJournal
    ) async throws(DeliveryFailure) -> (stored: ValidatorChain, sent: ValidatorChain) {
        let change = WaitingChange(entry.payload)
        let (content, validator) = (content(of: entry, change), known.validator)
        var stored = ValidatorChain(content.chain, from: content.validator)
        do throws(StoreError) {
            if let chain = try await journal.store.row(chainKey(key.id)).flatMap(ValidatorChain.init) {
                let isOfChange = chain.chain == content.chain
                stored = isOfChange ? chain : chain.restarted(content.chain, from: content.validator)
            }
        } catch {
            throw DeliveryFailure(.offline, message: "the store can't be read now: \(error.message)")
        }
        // What was made of theirs was made on that, whatever was sent before.
        let (isMerged, former) = (change?.version != nil, change?.former)
        var sent =
            isMerged && former == nil && validator == nil
            ? stored.restarted(from: nil)
            : stored.continued(from: former ?? validator, behind: isMerged ? [] : content.behind)
        if former != nil { sent.pass(to: validator, by: content.name) }
        // With a fitting entity tag it would bring the fields of the refused one to the service.
        if change?.operation == .edit, !isMerged, former == nil, stored.hasRefused(content.behind) {
            sent = stored.restarted(from: ValidatorChain.unseen)
        }
        return (stored, sent)
    }

    /// The row change that records a conflict, to be committed with its settlement.
    ///
    /// - Parameter stored: the chain as it is in the store.
    func refusing(_ entry: OutboxEntry, _ draft: Draft, _ stored: ValidatorChain) -> [EntityChange] {
        if queue.isEnded { return [] }
        var chain = stored
        chain.refuse(.init(entry.id, WaitingChange(entry.payload)))
        return [.put(chain.row(chainKey(draft.key.id), asOf: clock.now()))]
    }

    /// What goes into the store with the settlement of a change that was delivered.
    ///
    /// - Parameter sent: with which it was sent.
    func passing(
        _ entry: OutboxEntry, _ draft: Draft, _ decided: Decided, _ sent: ValidatorChain
    ) -> [EntityChange] {
        guard case .delivered = decided.outcome, !queue.isEnded else { return [] }
        let key = chainKey(id(of: draft, after: decided))
        if draft.model == nil { return [.remove(key)] }
        var chain = sent
        chain.pass(to: decided.taken?.validator, by: .init(entry.id, WaitingChange(entry.payload)))
        return chain == sent ? [] : [.put(chain.row(key, asOf: clock.now()))]
    }

    /// Removes chains that nobody can need any more: nothing waits, and they are older than what
    /// may just be on its way there.
    func removeOldChains() async {
        do throws(StoreError) {
            let now = clock.now()
            var rows = try await store.rows(RowQuery(), of: account, kind: ValidatorChain.kind(of: kind.name))
            rows += try await store.rows(RowQuery(), of: account, kind: AnsweredAddition.kind(of: kind.name))
            let old = rows.filter { now - $0.asOf > .seconds(86_400) }.map { EntityChange.remove($0.key) }
            if !old.isEmpty, !queue.isEnded { try await store.commit(old) }
        } catch {
            _ = failed(error, "clear what is known of delivered changes of \(kind.name)")
        }
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
