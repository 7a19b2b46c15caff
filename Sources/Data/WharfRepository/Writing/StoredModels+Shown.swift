internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

extension StoredModels {
    /// Returns the shown value of a key: its row, with the pending changes over it.
    ///
    /// - Parameter changes: captured before the row was read, because a change may end meanwhile.
    ///   If it were captured later, it would lack that change, and a row from before the change
    ///   would show the old value. A change that begins meanwhile is told of, and looked at then.
    func shown(_ state: EntityState, _ key: EntityKey, over changes: ShownChanges) -> Snapshot<Model>.Kept? {
        guard let (row, isPending) = overlaid(state.row, key, changes.layers), let kept = decoded(row) else {
            return nil
        }
        return kept.pending(isPending).revised(.row(state.version, changes: changes.last))
    }

    /// Returns a row with the pending changes over it; nil if there is no model then.
    func overlaid(
        _ row: EntityRow?, _ key: EntityKey, _ layers: [ShownChanges.Layer]
    ) -> (row: EntityRow, isPending: Bool)? {
        guard let first = layers.first else { return row.map { ($0, false) } }
        var base = row.map { (bytes: $0.bytes, schema: $0.schema) }
        // The earliest change first: a later one was made on its result.
        for layer in layers { base = layer.overlay.applied(to: base, kind.codec.members) }
        guard let base else { return nil }
        var shown = row ?? EntityRow(key: key, bytes: [], asOf: first.began)
        (shown.bytes, shown.schema) = (base.bytes, base.schema)
        return (shown, true)
    }

    /// Returns the bytes of a row as it is shown, to make a change on.
    ///
    /// nil if they can't be read.
    func base(_ row: EntityRow?, _ key: EntityKey) -> [UInt8]? {
        overlaid(row, key, pending.shown(key.id).layers).flatMap { bytes($0.row) }
    }

    /// Returns whether a shown change decides whether the model exists.
    ///
    /// Then no other source is asked.
    func isDecidedHere(_ key: EntityKey) -> Bool { pending.shown(key.id).decides }
}
