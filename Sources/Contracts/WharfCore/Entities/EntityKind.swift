/// The way in which a store keeps the models of one kind.
///
/// It has the kind's name, codec, indexes for queries, and times to live.
///
/// ```swift
/// extension EntityKind<Note> {
///     static let notes = EntityKind("note", codec: .json, indexes: [Note.title.index], timeToLive: .seconds(300))
/// }
/// ```
public struct EntityKind<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// The name of the kind in the store. Do not change it: another name is another kind.
    public let name: String
    /// Encodes the models for the store and decodes them.
    public let codec: Codec<Model>
    /// The fields that queries can use.
    public let indexes: [EntityIndex<Model>]
    /// The time for which a model is fresh after the origin has sent or revalidated it.
    ///
    /// If it is nil, the lifetime of the answer counts.
    public let timeToLive: Duration?
    /// The time for which a list is fresh; by default that of a model.
    public var listTimeToLive: Duration?
    /// The tags of a model, such as its project. A tag makes several models stale at once.
    public var tags: @Sendable (Model) -> Set<String> = { _ in [] }
    /// Returns the text of an id in the store. Different ids have different texts.
    public let text: @Sendable (Model.ID) -> String
    /// Returns the id that has a text; nil if the kind can't parse ids.
    ///
    /// An outbox needs it to delete a model that is not in the store, and `identifying(by:)` needs
    /// it.
    public let parsing: (@Sendable (String) -> Model.ID?)?
    /// Returns the same model with another id; see `identifying(by:)`.
    public internal(set) var identify: (@Sendable (Model, Model.ID) -> Model)?
    /// The side that wins a conflict.
    public internal(set) var conflictPolicy = ConflictPolicy.ask
    /// Resolves conflicts of changes in an outbox; nil if a person resolves them.
    public internal(set) var merge: (@Sendable (WriteConflict<Model>) async -> Model?)?
    /// Whether an outbox joins edits of one model; see ``coalescingEdits()``.
    public internal(set) var coalescesEdits = false
    /// The way in which edits of models without an entity tag are sent.
    package var untaggedEdits = UntaggedEdits.readFirst

    /// The way in which an edit of a model without an entity tag is sent.
    package enum UntaggedEdits: Sendable {
        case readFirst
        case checkAfterwards
        case unread
    }

    /// Whether a model without an entity tag is read before an edit of it is sent.
    ///
    /// See ``editingUnread()`` and ``checkingEdits()``.
    public var readsBeforeEdits: Bool { untaggedEdits == .readFirst }
    /// Returns the entity tag of a model; see ``entityTags(by:)``.
    public internal(set) var entityTag: (@Sendable (Model) -> String?)?

    /// Creates a kind whose ids have texts of their own.
    ///
    /// - Parameters:
    ///   - id: returns the text of an id. Different ids must have different texts.
    ///   - parsing: returns the id that has a text; nil if ids can't be parsed.
    @inlinable public init(
        _ name: String, codec: Codec<Model>, indexes: [EntityIndex<Model>] = [], timeToLive: Duration? = nil,
        id: @escaping @Sendable (Model.ID) -> String, parsing: (@Sendable (String) -> Model.ID?)? = nil
    ) {
        self.name = name
        self.codec = codec
        self.indexes = indexes
        self.timeToLive = timeToLive
        self.listTimeToLive = timeToLive
        self.text = id
        self.parsing = parsing
    }

    /// Creates a kind whose ids are stored as their `description`, such as a `UUID`.
    @inlinable public init(
        _ name: String, codec: Codec<Model>, indexes: [EntityIndex<Model>] = [], timeToLive: Duration? = nil,
        listTimeToLive: Duration? = nil, tags: @escaping @Sendable (Model) -> Set<String> = { _ in [] }
    ) where Model.ID: CustomStringConvertible {
        self.init(name, codec: codec, indexes: indexes, timeToLive: timeToLive, id: { $0.description })
        self.listTimeToLive = listTimeToLive ?? timeToLive
        self.tags = tags
    }

    /// Creates a kind whose ids are stored as their `description` and parsed from it.
    ///
    /// Integers and strings are such ids.
    @inlinable public init(
        _ name: String, codec: Codec<Model>, indexes: [EntityIndex<Model>] = [], timeToLive: Duration? = nil,
        listTimeToLive: Duration? = nil, tags: @escaping @Sendable (Model) -> Set<String> = { _ in [] }
    ) where Model.ID: LosslessStringConvertible {
        self.init(
            name, codec: codec, indexes: indexes, timeToLive: timeToLive, id: { $0.description },
            parsing: { Model.ID($0) })
        self.listTimeToLive = listTimeToLive ?? timeToLive
        self.tags = tags
    }
}

extension EntityKind {
    /// Handles a service that assigns its own id to an added model.
    ///
    /// Changes that were made under the app's id in the meantime are sent to the assigned id.
    ///
    /// ```swift
    /// EntityKind("note", codec: .json).identifying(by: \.id)
    /// ```
    ///
    /// The assigned id must be parsed from its text (``parsing``). Ids that are not
    /// `LosslessStringConvertible`, such as `UUID`, need the initializer with `id:parsing:`.
    /// Without ``parsing``, such changes become dead letters.
    public func identifying(by id: any WritableKeyPath<Model, Model.ID> & Sendable) -> Self {
        identifying(by: { model, new in
            var model = model
            model[keyPath: id] = new
            return model
        })
    }

    /// Handles a service that assigns ids, for models whose id can't be set.
    ///
    /// - Parameter identify: returns the same model with another id.
    public func identifying(by identify: @escaping @Sendable (Model, Model.ID) -> Model) -> Self {
        var kind = self
        kind.identify = identify
        return kind
    }

    /// Resolves conflicts in favour of one side, without asking.
    ///
    /// It is no conflict if two clients edit different members of a model. Both edits are kept with
    /// every policy.
    ///
    /// ```swift
    /// EntityKind("setting", codec: .json).merging(.mine)
    /// ```
    public func merging(_ policy: ConflictPolicy) -> Self {
        var kind = self
        // The last call of `merging` counts, so the other way of merging ends.
        (kind.conflictPolicy, kind.merge) = (policy, nil)
        return kind
    }

    /// Resolves conflicts of changes that waited in an outbox, before a person must.
    ///
    /// It is no conflict if two clients edit different members of a model. Both edits are kept and
    /// `merge` is not called.
    ///
    /// ```swift
    /// EntityKind("note", codec: .json).merging { conflict in
    ///     guard var note = conflict.theirs, let mine = conflict.mine else { return nil }
    ///     note.text += mine.text
    ///     return note
    /// }
    /// ```
    ///
    /// - Parameter merge: returns the model to send instead of the change, based on `theirs`. If it
    ///   returns nil, the change becomes a dead letter.
    public func merging(_ merge: @escaping @Sendable (WriteConflict<Model>) async -> Model?) -> Self {
        var kind = self
        // As above: a policy would decide before `merge` is called.
        (kind.conflictPolicy, kind.merge) = (.ask, merge)
        return kind
    }

    /// Coalesces the edits of a model that wait in an outbox into one request.
    ///
    /// The request has the last state. Use it for models that are edited often, such as a text
    /// while it is typed. The service does not see the intermediate states. It is not the default,
    /// because a service may need each state, such as the steps of an approval.
    ///
    /// ```swift
    /// EntityKind("note", codec: .json).coalescingEdits()
    /// ```
    ///
    /// - An edit is merged into the entry of the edit or addition before it, if that entry was
    ///   never sent and its change is visible.
    /// - An edit with another base, such as a later answer of the service, gets an entry of its
    ///   own.
    /// - Each receipt gets the outcome of the one request.
    /// - An edit from another process that has not seen the last one is a conflict. It overwrites
    ///   nothing.
    public func coalescingEdits() -> Self {
        var kind = self
        kind.coalescesEdits = true
        return kind
    }

    /// Sends edits and deletions without a read if the model has no known entity tag.
    ///
    /// A list, or an answer without a body, brings no entity tag. By default Wharf reads the model
    /// from the service before it sends such a change:
    ///
    /// - The members that another client has changed stay.
    /// - An edit of the same member is a conflict.
    /// - A deletion of a model that another client has changed is a conflict.
    ///
    /// The read costs one more request per change. If the service has no entity tags, a change
    /// between the two requests is overwritten all the same.
    ///
    /// With this modifier the change is sent at once and overwrites the state of the service. Use
    /// it for models that one person edits on one device.
    ///
    /// ```swift
    /// EntityKind("draft", codec: .json).editingUnread()
    /// ```
    public func editingUnread() -> Self {
        var kind = self
        kind.untaggedEdits = .unread
        return kind
    }

    /// Reads a model after an edit without an entity tag, instead of before it.
    ///
    /// The edit is sent at once, so other clients see it earlier. If the service then has other
    /// values than the edit, another client has overwritten it, and the outcome is a conflict. Use
    /// it if the service has no entity tags and its clients overwrite each other.
    ///
    /// A change that another client made before the edit is not noticed. A PUT overwrites it, as
    /// with ``editingUnread()``. If the read fails, the edit counts as delivered. Deletions are
    /// sent without a read.
    ///
    /// ```swift
    /// EntityKind("note", codec: .json).checkingEdits()
    /// ```
    public func checkingEdits() -> Self {
        var kind = self
        kind.untaggedEdits = .checkAfterwards
        return kind
    }

    /// Takes entity tags from the models, for a service that puts them into payloads.
    ///
    /// A list brings no entity tags in its fields, so an edit of one of its rows costs a read
    /// first. If the model has a tag, the edit is sent at once with `If-Match`. The field `ETag` of
    /// an answer takes precedence over the tag in its model. The answer to an edit must bring one
    /// of the two; otherwise the next edit costs a read again.
    ///
    /// ```swift
    /// EntityKind("note", codec: .json).entityTags { "\"\($0.version)\"" }
    /// ```
    ///
    /// - Parameter tag: returns a strong tag as the service sends it in `ETag`, with its quotes
    ///   (RFC 9110 §8.8.3); nil for none.
    public func entityTags(by tag: @escaping @Sendable (Model) -> String?) -> Self {
        var kind = self
        kind.entityTag = tag
        return kind
    }

    /// The kind of the row that stores the sync position of the models.
    package var syncKind: String { name + SyncRow.suffix }

    package func key(_ id: Model.ID, of account: Account?) -> EntityKey {
        EntityKey(account: account, kind: name, id: text(id))
    }

    /// Returns a model as a row.
    ///
    /// Use it in a store with its own representation of models, such as Core Data objects.
    ///
    /// - Throws: the error of the codec.
    public func row(
        _ model: Model, of account: Account?, asOf: WallTime, staleAt: WallTime? = nil, validator: String? = nil
    ) throws -> EntityRow {
        var row = EntityRow(
            key: key(model.id, of: account), schema: codec.schema, bytes: try codec.encode(model), asOf: asOf,
            staleAt: staleAt, fields: fields(model))
        row.validator = validator
        return row
    }

    /// Returns the fields of a model that queries can use.
    package func fields(_ model: Model) -> [String: FieldValue] {
        var fields: [String: FieldValue] = [:]
        for index in indexes {
            // A field that is null is left out, so null has one representation in a row.
            let value = index.read(model)
            if !value.isNull { fields[index.name] = value }
        }
        return fields
    }

    /// Returns the model of a row from ``row(_:of:asOf:staleAt:validator:)``.
    ///
    /// - Throws: the error of the codec.
    public func model(_ row: EntityRow) throws -> Model { try codec.decode(row.bytes, row.schema) }
}

/// The rows that store how far a store has followed the changes of a service.
package enum SyncRow {
    fileprivate static let suffix = "/sync"

    /// Whether a kind has sync rows.
    package static func isKind(_ name: String) -> Bool { name.hasSuffix(suffix) }
}
