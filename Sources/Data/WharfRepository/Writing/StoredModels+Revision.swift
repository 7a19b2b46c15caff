internal import WharfCore
internal import WharfStorage

// Edits of a model as it was shown, such as in a form.
extension StoredModels {
    /// Makes an edit of a model as it was shown.
    ///
    /// | the model now                                 | the edit is made on |
    /// |-----------------------------------------------|---------------------|
    /// | as shown                                      | the model now       |
    /// | as shown, with later changes of this app      | the model now       |
    /// | changed by another client in other members    | the model now       |
    /// | changed by another client in a member of both | the model as shown  |
    /// | not in the store                              | the model as shown  |
    ///
    /// An edit on the model as shown is compared with the service's model before it is sent. If
    /// pending changes of this app set the same member, the last call wins.
    ///
    /// Call it in a turn of the queue, like ``make(_:_:)``.
    func makeRevision(_ draft: Draft, of shown: Draft, _ mode: WriteMode) async throws(StoreError) -> NewChange {
        var (draft, shown) = (draft, shown)
        if let journal {
            // The model may have been shown under a temporary id.
            draft = try await identified(draft, in: journal)
            shown = try await identified(shown, in: journal)
        }
        let (base, edited) = (shown.bytes ?? [], draft.bytes ?? [])
        let edit = Overlay(from: base, to: edited, schema: kind.codec.schema, kind.codec.members)
        let row = try await store.row(draft.key)
        guard let now = current(row, draft.key, for: edit, of: base), let revised = revised(now, by: edit) else {
            return NewChange(draft: draft, entry: entry(draft, mode, on: .former(base)))
        }
        return NewChange(draft: revised, entry: entry(revised, mode, on: changeBase(row, draft.key, base: now)))
    }

    /// Returns the bytes of the model with its pending changes.
    ///
    /// nil if an edit of the model as it was shown can't be made on them.
    private func current(_ row: EntityRow?, _ key: EntityKey, for edit: Overlay, of shown: [UInt8]) -> [UInt8]? {
        // The row of an outdated model is older than the model that was shown.
        if row?.validator == ValidatorChain.unseen { return nil }
        // Changes that are not shown yet count too: this one is sent after them.
        let layers = pending.read { $0.layers(key.id) }
        // The form may have shown any state between two changes of this app. Later ones of the app
        // are no conflict.
        let isOwn = layers.indices.contains { count in
            overlaid(row, key, Array(layers[...count])).flatMap { bytes($0.row) }.map { isSame($0, shown) } ?? false
        }
        let now = overlaid(row, key, layers).flatMap { bytes($0.row) }
        if isOwn { return now }
        guard let stored = row.flatMap(bytes) else { return nil }
        let theirs = Overlay(from: shown, to: stored, schema: kind.codec.schema, kind.codec.members)
        return isSame(stored, shown) || edit.isIndependent(of: theirs) ? now : nil
    }

    /// Returns the edited model; nil if it can't be read.
    func revised(_ bytes: [UInt8], by edit: Overlay) -> Draft? {
        guard let bytes = edit.applied(to: (bytes, kind.codec.schema), kind.codec.members)?.bytes else { return nil }
        do {
            let model = try kind.codec.decode(bytes, kind.codec.schema)
            return try draft(model, isAddition: false)
        } catch {
            return nil
        }
    }

    /// Returns the bytes of a row in the current schema.
    func bytes(_ row: EntityRow) -> [UInt8]? {
        row.schema == kind.codec.schema ? row.bytes : decoded(row).flatMap { bytes($0.value) }
    }
}
