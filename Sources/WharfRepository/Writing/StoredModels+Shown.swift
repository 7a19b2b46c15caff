internal import WharfCore

extension StoredModels {
    /// What is shown of a row: with the changes over it that are on their way.
    func shown(_ row: EntityRow?, _ key: EntityKey) -> Snapshot<Model>.Kept? {
        guard let (row, isPending) = overlaid(row, key) else { return nil }
        return decoded(row)?.pending(isPending)
    }

    /// A row with the changes that are on their way; nil where they remove it.
    private func overlaid(_ row: EntityRow?, _ key: EntityKey) -> (row: EntityRow, isPending: Bool)? {
        let writes = pending.shown(key.id)
        guard let first = writes.first else { return row.map { ($0, false) } }
        var base = row.map { (bytes: $0.bytes, schema: $0.schema) }
        for write in writes { base = write.overlay?.applied(to: base, kind.codec.members) }
        guard let base else { return nil }
        var shown = row ?? EntityRow(key: key, bytes: [], asOf: first.began)
        (shown.bytes, shown.schema) = (base.bytes, base.schema)
        return (shown, true)
    }

    /// The bytes that are shown of a row, to make a change on.
    func base(_ row: EntityRow?, _ key: EntityKey) -> [UInt8]? { overlaid(row, key)?.row.bytes }

    /// Whether a change that is shown already decides whether there is such a model: then nobody else is asked.
    func isDecidedHere(_ key: EntityKey) -> Bool {
        pending.shown(key.id).contains { $0.isAddition || $0.overlay?.isDeletion == true }
    }

    /// Models of a list as they are shown, with those that are being added where it would have them.
    func shown(_ members: [Snapshot<Model>.Kept], _ query: RowQuery) -> [Snapshot<Model>.Kept] {
        let ids = Set(members.map { StoredText(text: kind.text($0.value.id)) })
        let added = pending.additions.compactMap { addition -> Snapshot<Model>.Kept? in
            guard !ids.contains(StoredText(text: addition.id)) else { return nil }
            return shown(nil, EntityKey(account: account, kind: kind.name, id: addition.id))
        }
        let fitting = added.filter { query.condition.matches(kind.fields($0.value)) }
        guard !fitting.isEmpty, query.after == nil else { return members }
        guard !query.sort.isEmpty else { return members + fitting }
        return query.answer(members + fitting, id: { kind.text($0.value.id) }, fields: { kind.fields($0.value) })
    }
}
