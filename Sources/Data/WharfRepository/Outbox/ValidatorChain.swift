internal import WharfCore

/// The entity tags that the changes of one chain have given a model, in order.
///
/// Each tag comes with the change whose delivery led to it. A later change of the chain is no
/// conflict if its maker knew of these changes. It was made on a model that this device has sent.
/// Its maker may be another process.
///
/// The chain lies beside the model in the store. It is committed with each settlement, because
/// another process may send the next change.
struct ValidatorChain: Hashable {
    struct Step: Hashable {
        /// The change whose delivery led to the tag; empty for the chain's first tag.
        let change: WaitingChange.Name
        /// The entity tag; empty for none.
        let validator: String
    }

    /// See ``WaitingChange/chain``.
    let chain: String
    private(set) var steps: [Step]
    /// The model's entries that were in conflict, of any chain.
    ///
    /// An entry that was delivered since is not among them.
    ///
    /// A change on top of such an entry has its fields too, even if a person has discarded the
    /// entry.
    private(set) var refused: [String] = []

    /// The mark of a refused entry in a row, in the place of a validator.
    private static let refusal = "!"

    /// The mark of an entity tag that is not known.
    ///
    /// A change with this mark is compared with the service's model before it is sent.
    static let unknown = "\"unknown\""

    /// The mark of a model that is known not to be the service's.
    ///
    /// A change with this mark is compared with the service's model too. If the source reads no
    /// single models, the change is in conflict.
    static let unseen = "\"unseen\""

    /// Returns whether a change can be sent with the tag, or without one if it is nil.
    ///
    /// ``unseen`` and ``unknown`` are never sent.
    static func isTag(_ validator: String?) -> Bool { validator != unseen && validator != unknown }

    /// The most steps, and the most refused entries, of a row. The first step always stays, because
    /// most waiting changes were made on its tag.
    private static let most = 256

    /// Begins a chain with the entity tag that a change is made on.
    init(_ chain: String, from validator: String?) {
        (self.chain, steps) = (chain, [Step(change: .init(""), validator: validator ?? "")])
    }

    /// Reads a row; nil if it has no chain.
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

    /// Returns a chain of the same model without a delivered change.
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

    /// The last entity tag; nil for none.
    var last: String? { steps.last?.validator.nonEmpty }

    /// Returns the chain for sending a change: its last tag is the one that is sent.
    ///
    /// If a change was delivered that the maker did not know, the tag is not that of the service's
    /// present model. So the service refuses the change.
    ///
    /// - Parameters:
    ///   - validator: the entity tag that the change was made on.
    ///   - behind: the changes before it that its maker knew, as they were then.
    func continued(from validator: String?, behind: [WaitingChange.Name]) -> ValidatorChain {
        let (validator, known) = (validator ?? "", Set(behind))
        let entries = Set(behind.map(\.entry))
        let isTagged = steps.contains { !$0.validator.isEmpty }
        // Without an entity tag, the change would be sent without a condition.
        func given(_ earlier: ArraySlice<Step>) -> String? {
            earlier.last { !$0.validator.isEmpty }?.validator ?? (isTagged ? Self.unseen : nil)
        }
        let last = steps.lastIndex { $0.validator == validator || entries.contains($0.change.entry) }
        guard var last else { return restarted(from: validator) }
        guard let base = steps.lastIndex(where: { $0.validator == validator }) else {
            // A change that it was made on has since been rewritten, on another model.
            return restarted(from: validator.nonEmpty ?? given(steps[..<last]))
        }
        // If a change was rewritten, the maker has to know that very version, even if it knows a
        // later change.
        let anew = steps[base...last].dropFirst().firstIndex { $0.change.isAnew && !known.contains($0.change) }
        if let anew { last = anew - 1 }
        if last == steps.count - 1 { return self }
        return restarted(from: given(steps[...last]))
    }

    /// Returns whether one of the changes was in conflict.
    func hasRefused(_ changes: [WaitingChange.Name]) -> Bool { changes.contains { refused.contains(String($0.entry)) } }

    mutating func refuse(_ change: WaitingChange.Name) {
        let entry = String(change.entry)
        refused.removeAll { $0 == entry }
        refused.append(entry)
        if refused.count > Self.most { refused.removeFirst() }
    }

    mutating func pass(to validator: String?, by change: WaitingChange.Name) {
        refused.removeAll { $0 == change.entry }
        // The same entity tag means the same model. If the service gives tags, an answer without
        // one may be another model each time.
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

    /// Returns the chain of a change, as it is stored and as it is sent.
    ///
    /// The last entity tag of the sent one is that of the model that the change was made on. If
    /// changes before it were delivered, it is the tag to which they have led.
    ///
    /// - Parameter known: the change as ``PendingChanges`` has it.
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
        // A merged change was made on the service's model, regardless of the changes before it.
        let (isMerged, former) = (change?.version != nil, change?.former)
        var sent =
            isMerged && former == nil && validator == nil
            ? stored.restarted(from: nil)
            : stored.continued(from: former ?? validator, behind: isMerged ? [] : content.behind)
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
    func refusing(_ entry: OutboxEntry, _ draft: Draft, _ stored: ValidatorChain) -> [EntityChange] {
        if queue.isEnded { return [] }
        var chain = stored
        chain.refuse(.init(entry.id, WaitingChange(entry.payload)))
        return [.put(chain.row(chainKey(draft.key.id), asOf: clock.now()))]
    }

    /// Returns the row changes to commit with the settlement of a delivered change.
    ///
    /// - Parameter sent: the chain with which the change was sent.
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

    /// Removes chains, and answers to additions, that are more than a day old.
    ///
    /// Called if no change waits. A younger row may belong to a change that is on its way into the
    /// journal.
    func removeOldChains() async {
        do throws(StoreError) {
            let now = clock.now()
            var rows = try await store.rows(RowQuery(), of: account, kind: ValidatorChain.kind(of: kind.name))
            rows += try await store.rows(RowQuery(), of: account, kind: AnsweredAddition.kind(of: kind.name))
            let old = rows.filter { now - $0.asOf > .seconds(86_400) }.map { EntityChange.remove($0.key) }
            if !old.isEmpty, !queue.isEnded { try await store.commit(old) }
        } catch {
            _ = failed(error, "delete old records of delivered changes of \(kind.name)")
        }
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
