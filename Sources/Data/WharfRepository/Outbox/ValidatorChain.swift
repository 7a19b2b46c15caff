internal import WharfCore
internal import WharfStorage

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
        let change: WaitingChange.Reference
        /// The entity tag; empty for none.
        let validator: String
    }

    // Invariants: `steps` is never empty, and its first step is the tag on which the chain began.
    // Each entry is in `refused` at most once.

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
        // A name and pairs of texts, so the count is odd. The row of a list may have any count.
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
    func continued(from validator: String?, behind: [WaitingChange.Reference]) -> ValidatorChain {
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
        // All that was delivered was known to the maker, so the last tag is right.
        if last == steps.count - 1 { return self }
        // A delivery after `last` was unknown to the maker. An older tag makes the service refuse
        // the change.
        return restarted(from: given(steps[...last]))
    }

    /// Returns whether one of the changes was in conflict.
    func hasRefused(_ changes: [WaitingChange.Reference]) -> Bool {
        changes.contains { refused.contains(String($0.entry)) }
    }

    mutating func refuse(_ change: WaitingChange.Reference) {
        let entry = String(change.entry)
        refused.removeAll { $0 == entry }
        refused.append(entry)
        // The oldest refusal is forgotten, to bound the row.
        if refused.count > Self.most { refused.removeFirst() }
    }

    mutating func pass(to validator: String?, by change: WaitingChange.Reference) {
        // A delivery ends a refusal: the service has the fields now.
        refused.removeAll { $0 == change.entry }
        // The same entity tag means the same model. If the service gives tags, an answer without
        // one may be another model each time.
        if validator == nil ? steps.allSatisfy(\.validator.isEmpty) : last == validator { return }
        steps.append(Step(change: change, validator: validator ?? ""))
        if steps.count > Self.most { steps.remove(at: 1) }
    }

    static func kind(of name: String) -> String { name + "/validators" }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
