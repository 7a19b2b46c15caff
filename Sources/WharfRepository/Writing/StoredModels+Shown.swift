internal import WharfCore
internal import WharfPrimitives

extension StoredModels {
    /// What is shown of a row: with the changes over it that are on their way.
    ///
    /// - Parameter writes: those before the row was read, where others may end them meanwhile: a row without a change that it does not
    ///   have yet would go back to what was before. What begins meanwhile is told, and looked at then.
    func shown(
        _ row: EntityRow?, _ key: EntityKey, over writes: [PendingWrites.Write]? = nil
    ) -> Snapshot<Model>.Kept? {
        guard let (row, isPending) = overlaid(row, key, writes ?? pending.shown(key.id)), let kept = decoded(row) else {
            return nil
        }
        guard isPending else { return kept }
        // The end of the change is news also where it left the same bytes.
        return kept.pending(true).stamped(kept.stamp.map { ~$0 })
    }

    /// A row with the changes that are on their way; nil where they remove it.
    private func overlaid(
        _ row: EntityRow?, _ key: EntityKey, _ writes: [PendingWrites.Write]
    ) -> (row: EntityRow, isPending: Bool)? {
        guard let first = writes.first else { return row.map { ($0, false) } }
        var base = row.map { (bytes: $0.bytes, schema: $0.schema) }
        for write in writes { base = write.overlay?.applied(to: base, kind.codec.members) }
        guard let base else { return nil }
        var shown = row ?? EntityRow(key: key, bytes: [], asOf: first.began)
        (shown.bytes, shown.schema) = (base.bytes, base.schema)
        return (shown, true)
    }

    /// The bytes that are shown of a row, to make a change on; nil where they are of another schema.
    func base(_ row: EntityRow?, _ key: EntityKey) -> [UInt8]? {
        overlaid(row, key, pending.shown(key.id)).flatMap { $0.row.schema == kind.codec.schema ? $0.row.bytes : nil }
    }

    /// Whether a change that is shown already decides whether there is such a model: then nobody else is asked.
    func isDecidedHere(_ key: EntityKey) -> Bool {
        pending.shown(key.id).contains { $0.isAddition || $0.overlay?.isDeletion == true }
    }

    /// Models of a list as they are shown, with those that were added and that it may not have yet.
    ///
    /// - Parameter asOf: when the list was said. What was delivered before is in it, or does not belong there.
    func shown(
        _ members: [Snapshot<Model>.Kept], _ query: RowQuery, asOf: WallTime
    ) async throws(StoreError) -> [Snapshot<Model>.Kept] {
        let additions = pending.additions(since: asOf)
        guard !additions.isEmpty, query.after == nil else { return members }
        let ids = Set(members.map { UTF8Key(kind.text($0.value.id)) })
        let keys = additions.filter { !ids.contains($0) }
            .map { EntityKey(account: account, kind: kind.name, id: $0.text) }
        let rows = try await store.rows(keys)
        let fitting = keys.compactMap { shown(rows[$0], $0) }
            .filter { query.condition.matches(kind.fields($0.value)) }
        guard !fitting.isEmpty else { return members }
        let all = members + fitting
        // Only by what the kind knows can they be put in their places.
        let known = Set(kind.indexes.map(\.name))
        guard !query.sort.isEmpty, query.sort.allSatisfy({ known.contains($0.field) }) else {
            return Array(all.prefix(query.limit ?? all.count))
        }
        return query.answer(all, id: { kind.text($0.value.id) }, fields: { kind.fields($0.value) })
    }
}
