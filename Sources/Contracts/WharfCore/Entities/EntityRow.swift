internal import WharfPrimitives

/// The key of an entity in a store: account, kind and id.
///
/// Kinds and ids are compared by their UTF-8 bytes, as databases and services compare them.
public struct EntityKey: Sendable {
    /// The account of the entity; nil if it has none.
    public var account: Account?
    /// The kind of the entity, such as "note". Each kind has its own ids.
    public var kind: String
    /// The text of the id.
    public var id: String

    /// Creates a key.
    public init(account: Account? = nil, kind: String, id: String) {
        self.account = account
        self.kind = kind
        self.id = id
    }

    /// The key that stands for all entities of this account and kind.
    package var scope: EntityKey { EntityKey(account: account, kind: kind, id: "") }
}

extension EntityKey: Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        // By bytes: as strings, two rows of a database with canonically equivalent ids would be one
        // key.
        a.account == b.account && UTF8Key(a.kind) == UTF8Key(b.kind) && UTF8Key(a.id) == UTF8Key(b.id)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(account)
        hasher.combine(UTF8Key(kind))
        hasher.combine(UTF8Key(id))
    }
}

/// An entity as a store keeps it.
public struct EntityRow: Hashable, Sendable {
    /// The key of the entity.
    public var key: EntityKey
    /// The schema version of `bytes`.
    public var schema: Int
    /// The encoded model.
    public var bytes: [UInt8]
    /// The time at which the origin last sent or revalidated the entity.
    public var asOf: WallTime
    /// The time at which the entity becomes stale; nil if it has no lifetime.
    public var staleAt: WallTime?
    /// The strong entity tag of the answer (RFC 9110 §8.8.3).
    ///
    /// A conditional change sends it, so that the service can refuse the change if its tag has
    /// changed.
    public var validator: String?
    /// The account's version at the time of the request that brought this answer.
    ///
    /// It is nil if no request brought the row. It orders answers: of two that overlap, the answer
    /// to the later request is the newer one.
    package var basis: StoreVersion?
    /// The fields that queries can use. A null field is left out, so null has one representation.
    public var fields: [String: FieldValue] { didSet { fields = Self.present(fields) } }

    /// Creates a row. Null fields are left out.
    public init(
        key: EntityKey, schema: Int = 1, bytes: [UInt8], asOf: WallTime, staleAt: WallTime? = nil,
        fields: [String: FieldValue] = [:]
    ) {
        self.key = key
        self.schema = schema
        self.bytes = bytes
        self.asOf = asOf
        self.staleAt = staleAt
        self.fields = Self.present(fields)
    }

    private static func present(_ fields: [String: FieldValue]) -> [String: FieldValue] {
        // Most rows have no null field, and keep their dictionary.
        fields.values.contains(where: \.isNull) ? fields.filter { !$0.value.isNull } : fields
    }
}

/// A change of one entity in a commit.
public enum EntityChange: Hashable, Sendable {
    /// Stores a row and replaces the key's row, if there is one.
    case put(EntityRow)
    /// Removes the row of a key. It is no error if the key has no row.
    case remove(EntityKey)

    /// The key that is changed.
    public var key: EntityKey {
        switch self {
        case .put(let row): row.key
        case .remove(let key): key
        }
    }
}
