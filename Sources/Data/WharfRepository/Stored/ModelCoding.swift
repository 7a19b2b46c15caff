internal import WharfCore
internal import WharfStorage

/// Conversions of the models of one kind and account: to rows and bytes, and back.
///
/// It has no state. A function that returns nil for a value has reported an incident, except
/// ``revised`` and ``edited``. Others throw.
struct ModelCoding<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let kind: EntityKind<Model>
    let account: Account?
    let report: IncidentHandler

    /// - Parameter id: the text of a model's id.
    func key(_ id: String) -> EntityKey { EntityKey(account: account, kind: kind.name, id: id) }

    // MARK: Rows

    /// Returns the model of a row.
    ///
    /// A row that can't be decoded is reported as an incident, and counts as nothing kept (nil).
    func decoded(_ row: EntityRow) -> Snapshot<Model>.Kept? {
        do {
            return Snapshot<Model>.Kept(
                value: try kind.model(row), source: .store, asOf: row.asOf, staleAt: row.staleAt)
        } catch {
            reportUndecodable("\(kind.name) \(row.key.id) (schema \(row.schema))", error)
            return nil
        }
    }

    /// Returns the row of a value; nil if it must not be stored, or can't be encoded.
    func row(_ kept: Snapshot<Model>.Kept, validator: String?) -> EntityRow? {
        guard !kept.mustNotBeStored else { return nil }
        do {
            return try kind.row(kept.value, of: account, asOf: kept.asOf, staleAt: kept.staleAt, validator: validator)
        } catch {
            reportUnencodable("\(kind.name) \(kind.text(kept.value.id))", error)
            return nil
        }
    }

    /// Returns the rows of models that came in one answer, in their order.
    func rows(_ models: [Model], asOf: WallTime, staleAt: WallTime?) throws -> [EntityRow] {
        try models.map {
            try kind.row($0, of: account, asOf: asOf, staleAt: staleAt, validator: kind.entityTag?($0))
        }
    }

    func isReadable(_ row: EntityRow) -> Bool {
        guard row.key.kind == kind.name else { return ListRow.ids(row) != nil }
        do {
            _ = try kind.model(row)
            return true
        } catch {
            return false
        }
    }

    func lasting(_ kept: Snapshot<Model>.Kept) -> Snapshot<Model>.Kept {
        guard let timeToLive = kind.timeToLive else { return kept }
        return kept.with(kept.value, staleAt: .some(kept.asOf + timeToLive))
    }

    /// Returns the entity tag of a model: that of its answer, or the one in the model.
    func entityTag(_ kept: Snapshot<Model>.Kept) -> String? {
        kept.response?.strongValidator ?? kind.entityTag?(kept.value)
    }

    // MARK: Pending changes over a row

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

    // MARK: Bytes

    /// Returns the bytes of a model.
    ///
    /// A model that can't be encoded is reported as an incident, and has none.
    func bytes(_ model: Model) -> [UInt8]? {
        do {
            return try kind.codec.encode(model)
        } catch {
            reportUnencodable("\(kind.name) \(kind.text(model.id))", error)
            return nil
        }
    }

    /// Returns the bytes of a row in the current schema.
    func bytes(_ row: EntityRow) -> [UInt8]? {
        row.schema == kind.codec.schema ? row.bytes : decoded(row).flatMap { bytes($0.value) }
    }

    /// Returns the bytes of a row with layers over it, to make a change on.
    ///
    /// nil if they can't be read.
    func bytes(_ row: EntityRow?, _ key: EntityKey, under layers: [ShownChanges.Layer]) -> [UInt8]? {
        overlaid(row, key, layers).flatMap { bytes($0.row) }
    }

    /// Returns the change from one model to another, both in the current schema.
    func overlay(from base: [UInt8], to bytes: [UInt8]) -> Overlay {
        Overlay(from: base, to: bytes, schema: kind.codec.schema, kind.codec.members)
    }

    /// Returns whether the bytes of two models say the same, in any order.
    ///
    /// Only the order of members may differ.
    func isSame(_ one: [UInt8], _ other: [UInt8]?) -> Bool {
        guard let other else { return false }
        guard let members = kind.codec.members, let a = members.split(one), let b = members.split(other) else {
            return one == other
        }
        return Set(a) == Set(b)
    }

    // MARK: Incidents

    func failed(_ error: StoreError, _ action: String) -> ReadFailure {
        let message = "the store could not \(action): \(error.message)"
        report(Incident(.storeFailed, message: message, cause: error))
        return ReadFailure(.storeFailed, message: message, cause: error)
    }

    func reportUnencodable(_ what: String, _ error: any Error) {
        report(Incident(.notKept, message: "\(what) can't be encoded: \(error)", cause: error))
    }

    func reportUndecodable(_ what: String, _ error: any Error) {
        report(Incident(.entityUndecodable, message: "\(what) can't be decoded: \(error)", cause: error))
    }
}

extension HTTPResponse {
    /// The entity tag, if it can be compared strongly, as `If-Match` does.
    ///
    /// See RFC 9110 §8.8.3.2 and §13.1.1.
    var strongValidator: String? {
        guard let tag = headerFields[.eTag], !tag.hasPrefix("W/") else { return nil }
        return tag
    }
}
