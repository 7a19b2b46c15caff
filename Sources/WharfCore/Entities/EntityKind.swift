/// How the models of one kind lie in a store: under which name, in which form, what can be
/// searched, and how long they are fresh.
///
/// ```swift
/// extension EntityKind<Note> {
///     static let notes = EntityKind("note", codec: .json, indexes: [Note.title.index], timeToLive: .seconds(300))
/// }
/// ```
public struct EntityKind<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// Kept for ever: another name is another kind.
    public let name: String
    public let codec: Codec<Model>
    public let indexes: [EntityIndex<Model>]
    /// How long a model is fresh after the origin vouched for it. nil: as long as the answer that
    /// it came with says.
    public let timeToLive: Duration?
    /// The same for a list.
    public let listTimeToLive: Duration?
    /// Names under which several models can be made stale at once, such as that of the project that
    /// they belong to.
    public let tags: @Sendable (Model) -> Set<String>
    /// The text of an id in the store. Different ids have different texts.
    public let text: @Sendable (Model.ID) -> String
    /// The id of such a text: to delete by an outbox what is not in the store, and for
    /// `identifying(by:)`.
    public let parsing: (@Sendable (String) -> Model.ID?)?
    /// The same model with another id; see `identifying(by:)`.
    public internal(set) var identify: (@Sendable (Model, Model.ID) -> Model)?
    /// The side that wins a conflict.
    public internal(set) var conflictPolicy = ConflictPolicy.ask
    /// Settles the conflicts of changes that waited in an outbox; nil for none.
    public internal(set) var merge: (@Sendable (WriteConflict<Model>) async -> Model?)?
    /// See ``coalescingEdits()``.
    public internal(set) var coalescesEdits = false
    /// How edits of models without an entity tag are sent.
    package var untaggedEdits = UntaggedEdits.readFirst

    /// How an edit of a model without an entity tag is sent.
    package enum UntaggedEdits: Sendable {
        case readFirst
        case checkAfterwards
        case unread
    }

    /// See ``editingUnread()`` and ``checkingEdits()``.
    public var readsBeforeEdits: Bool { untaggedEdits == .readFirst }
    /// See ``entityTags(by:)``.
    public internal(set) var entityTag: (@Sendable (Model) -> String?)?

    /// - Parameter id: different ids must have different texts.
    @inlinable public init(
        _ name: String, codec: Codec<Model>, indexes: [EntityIndex<Model>] = [], timeToLive: Duration? = nil,
        listTimeToLive: Duration? = nil, tags: @escaping @Sendable (Model) -> Set<String> = { _ in [] },
        id: @escaping @Sendable (Model.ID) -> String, parsing: (@Sendable (String) -> Model.ID?)? = nil
    ) {
        self.name = name
        self.codec = codec
        self.indexes = indexes
        self.timeToLive = timeToLive
        self.listTimeToLive = listTimeToLive ?? timeToLive
        self.tags = tags
        self.text = id
        self.parsing = parsing
    }

    /// An id stands in the store as its `description`: an integer, a string, a `UUID`.
    @inlinable public init(
        _ name: String, codec: Codec<Model>, indexes: [EntityIndex<Model>] = [], timeToLive: Duration? = nil,
        listTimeToLive: Duration? = nil, tags: @escaping @Sendable (Model) -> Set<String> = { _ in [] }
    ) where Model.ID: CustomStringConvertible {
        self.init(
            name, codec: codec, indexes: indexes, timeToLive: timeToLive, listTimeToLive: listTimeToLive,
            tags: tags, id: { $0.description })
    }

    /// The same for ids that can be read from that: an integer, a string.
    @inlinable public init(
        _ name: String, codec: Codec<Model>, indexes: [EntityIndex<Model>] = [], timeToLive: Duration? = nil,
        listTimeToLive: Duration? = nil, tags: @escaping @Sendable (Model) -> Set<String> = { _ in [] }
    ) where Model.ID: LosslessStringConvertible {
        self.init(
            name, codec: codec, indexes: indexes, timeToLive: timeToLive, listTimeToLive: listTimeToLive,
            tags: tags, id: { $0.description }, parsing: { Model.ID($0) })
    }
}

extension EntityKind {
    /// For a service that gives what is added an id of its own: changes that were made meanwhile
    /// under the app's go to that.
    ///
    /// ```swift
    /// EntityKind("note", codec: .json).identifying(by: \.id)
    /// ```
    ///
    /// The id that came has to be readable from its text (``parsing``). Ids such as `UUID`, which
    /// are not `LosslessStringConvertible`, need the initializer with `id:parsing:`. Without
    /// either, such changes are set aside.
    public func identifying(by id: any WritableKeyPath<Model, Model.ID> & Sendable) -> Self {
        identifying(by: { model, new in
            var model = model
            model[keyPath: id] = new
            return model
        })
    }

    /// The same for models whose ids can't be set.
    ///
    /// - Parameter identify: the same model with another id.
    public func identifying(by identify: @escaping @Sendable (Model, Model.ID) -> Model) -> Self {
        var kind = self
        kind.identify = identify
        return kind
    }

    /// Settles conflicts without asking, for one of the two sides.
    ///
    /// An edit that changes other members than another client did is no conflict: both are kept
    /// with each policy.
    ///
    /// ```swift
    /// EntityKind("setting", codec: .json).merging(.mine)
    /// ```
    public func merging(_ policy: ConflictPolicy) -> Self {
        var kind = self
        (kind.conflictPolicy, kind.merge) = (policy, nil)
        return kind
    }

    /// Settles conflicts of changes that waited in an outbox before a person has to.
    ///
    /// An edit that changes other members than another client did is no conflict: both are kept
    /// without a call of this.
    ///
    /// ```swift
    /// EntityKind("note", codec: .json).merging { conflict in
    ///     guard var note = conflict.theirs, let mine = conflict.mine else { return nil }
    ///     note.text += mine.text
    ///     return note
    /// }
    /// ```
    ///
    /// - Parameter merge: what is sent in the place of the change, made on theirs; nil sets the
    ///   change aside.
    public func merging(_ merge: @escaping @Sendable (WriteConflict<Model>) async -> Model?) -> Self {
        var kind = self
        (kind.conflictPolicy, kind.merge) = (.ask, merge)
        return kind
    }

    /// Sends several edits of a model that wait in an outbox as one, with the last state.
    ///
    /// Use it for models that are edited often, such as a text while it is typed. The service does
    /// not see the states between. So it is not the default: a service may need each of them, as
    /// for the steps of an approval.
    ///
    /// ```swift
    /// EntityKind("note", codec: .json).coalescingEdits()
    /// ```
    ///
    /// - An edit goes into the entry of the edit or addition before it, if that was never sent and
    ///   is shown.
    /// - An edit that was made on something else, such as a later answer of the service, gets an
    ///   entry of its own.
    /// - Each receipt gets the outcome of the one request.
    /// - An edit of another process that has not seen the last one is a conflict; it overwrites
    ///   nothing.
    public func coalescingEdits() -> Self {
        var kind = self
        kind.coalescesEdits = true
        return kind
    }

    /// Sends edits and deletions without a look at the service if no entity tag of their model is
    /// known.
    ///
    /// A list, or an answer without a body, brings no entity tag. By default the model is read from
    /// the service before such a change is sent: members that another client has changed stay, and
    /// an edit of the same member is a conflict, as is a deletion of what another client has
    /// changed. That takes one more request for each change. At a service without entity tags a
    /// change that comes between the two requests is overwritten all the same. With this the change
    /// is sent at once, and overwrites whatever the service has: for models that only one person
    /// edits, on one device.
    ///
    /// ```swift
    /// EntityKind("draft", codec: .json).editingUnread()
    /// ```
    public func editingUnread() -> Self {
        var kind = self
        kind.untaggedEdits = .unread
        return kind
    }

    /// Reads a model after an edit that no entity tag has protected, instead of before.
    ///
    /// The edit is sent at once, so that others see it earlier. If the service has other values
    /// than the edit afterwards, the outcome is a conflict: another client has overwritten it. Use
    /// it at a service without entity tags whose clients overwrite each other.
    ///
    /// A change of another client from before the edit is not noticed: a PUT overwrites it, as with
    /// ``editingUnread()``. If the read fails, the edit counts as delivered. Deletions are sent
    /// unread.
    ///
    /// ```swift
    /// EntityKind("note", codec: .json).checkingEdits()
    /// ```
    public func checkingEdits() -> Self {
        var kind = self
        kind.untaggedEdits = .checkAfterwards
        return kind
    }

    /// Takes entity tags from the models, for a service that puts them into its payloads.
    ///
    /// A list brings no entity tags in its fields, so an edit of its rows costs a read before. With
    /// a tag in each model it is sent at once, with `If-Match`. The field `ETag` of an answer
    /// counts more than the tag in its model. The answer to an edit has to bring one of the two, or
    /// the next edit costs a read again.
    ///
    /// ```swift
    /// EntityKind("note", codec: .json).entityTags { "\"\($0.version)\"" }
    /// ```
    ///
    /// - Parameter tag: a strong tag as the service sends it in `ETag`, in its quotes (RFC 9110
    ///   §8.8.3); nil for none.
    public func entityTags(by tag: @escaping @Sendable (Model) -> String?) -> Self {
        var kind = self
        kind.entityTag = tag
        return kind
    }

    /// The kind of the row that says how far the models are synced.
    package var syncKind: String { name + SyncRow.suffix }

    package func key(_ id: Model.ID, of account: Account?) -> EntityKey {
        EntityKey(account: account, kind: name, id: text(id))
    }

    /// A model as a row: for a store that keeps models in a form of its own, such as the objects of
    /// Core Data.
    ///
    /// - Throws: what the codec throws.
    public func row(
        _ model: Model, of account: Account?, asOf: WallTime, staleAt: WallTime? = nil, validator: String? = nil
    ) throws -> EntityRow {
        EntityRow(
            key: key(model.id, of: account), schema: codec.schema, bytes: try codec.encode(model), asOf: asOf,
            staleAt: staleAt, validator: validator, fields: fields(model))
    }

    /// What queries can ask for.
    package func fields(_ model: Model) -> [String: FieldValue] {
        var fields: [String: FieldValue] = [:]
        for index in indexes {
            let value = index.read(model)
            if !value.isNull { fields[index.name] = value }
        }
        return fields
    }

    /// What ``row(_:of:asOf:staleAt:validator:)`` was made of.
    ///
    /// - Throws: what the codec throws.
    public func model(_ row: EntityRow) throws -> Model { try codec.decode(row.bytes, row.schema) }
}

/// The rows that say how far a store has followed the changes of a service.
package enum SyncRow {
    fileprivate static let suffix = "/sync"

    /// Whether a kind has such rows.
    package static func isKind(_ name: String) -> Bool { name.hasSuffix(suffix) }
}
