internal import WharfCore

/// The progress of a sync, in a row of its own.
struct SyncProgress: Hashable, Sendable {
    /// The token of the next request; nil if that asks for all models.
    var token: String?
    /// The version of the account when all models were asked for.
    ///
    /// nil if the store has them all.
    ///
    /// A model that was put at this version or before, and that no page has brought since, is gone.
    var start: StoreVersion?
    /// When the store last had all that the service had; nil if it never had.
    var syncedAt: WallTime?
}

extension SyncProgress {
    /// Reads a row; nil if it has another schema or is malformed.
    ///
    /// Models of another schema can't be read, so all of them are asked for again.
    init?(_ row: EntityRow, schema: Int) {
        guard row.schema == schema, let texts = ListRow.texts(row.bytes), texts.count == 3 else { return nil }
        token = texts[0].isEmpty ? nil : texts[0]
        start = Int64(texts[1]).map(StoreVersion.init)
        syncedAt = Int64(texts[2]).map(WallTime.init(nanoseconds:))
    }

    func row(_ key: EntityKey, schema: Int, asOf: WallTime) -> EntityRow {
        EntityRow(
            key: key, schema: schema,
            bytes: ListRow.bytes([
                token ?? "", start.map { "\($0.number)" } ?? "", syncedAt.map { "\($0.nanoseconds)" } ?? "",
            ]),
            asOf: asOf)
    }
}
