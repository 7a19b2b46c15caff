internal import WharfCore
internal import WharfStorage

/// The service's answer to an addition that is not settled in the journal yet.
///
/// It is committed with the row of the model, and removed with the settlement. If the process is
/// killed between the two, the next process does not send the addition again. It does not show the
/// model a second time either, under the temporary id.
struct AnsweredAddition: Hashable {
    let entry: OutboxEntry.ID
    /// The id of the model at the service.
    let id: String
    let validator: String?
    let asOf: WallTime

    init(_ entry: OutboxEntry.ID, id: String, validator: String?, asOf: WallTime) {
        (self.entry, self.id, self.validator, self.asOf) = (entry, id, validator, asOf)
    }

    /// nil if the row has something else.
    init?(_ row: EntityRow) {
        // A row of another layout, as of a later version, counts as no answer. The addition is then
        // sent again under its key.
        guard let texts = ListRow.ids(row), texts.count == 2 else { return nil }
        self.init(
            OutboxEntry.ID(row.key.id), id: texts[0], validator: texts[1].isEmpty ? nil : texts[1], asOf: row.asOf)
    }

    func row(_ key: EntityKey) -> EntityRow {
        // An empty text stands for no tag: a tag has at least its quotes (RFC 9110 §8.8.3).
        EntityRow(key: key, schema: ListRow.schema, bytes: ListRow.bytes([id, validator ?? ""]), asOf: asOf)
    }

    static func kind(of name: String) -> String { name + "/answered" }
}
