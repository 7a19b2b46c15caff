internal import WharfPrimitives

/// Where an entity stands in a store. Kinds and ids are told apart by the bytes of their UTF-8, as
/// databases and services do.
public struct EntityKey: Sendable {
    /// nil: of nobody's account.
    public var account: Account?
    /// What entities of one sort have in common, such as "note": each has its own ids.
    public var kind: String
    public var id: String

    public init(account: Account? = nil, kind: String, id: String) {
        self.account = account
        self.kind = kind
        self.id = id
    }

    /// The same for all entities of one account and kind.
    package var scope: EntityKey { EntityKey(account: account, kind: kind, id: "") }
}

extension EntityKey: Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        a.account == b.account && UTF8Key(a.kind) == UTF8Key(b.kind) && UTF8Key(a.id) == UTF8Key(b.id)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(account)
        hasher.combine(UTF8Key(kind))
        hasher.combine(UTF8Key(id))
    }
}

/// An entity as it lies in a store.
public struct EntityRow: Hashable, Sendable {
    public var key: EntityKey
    /// The version of what `bytes` means.
    public var schema: Int
    public var bytes: [UInt8]
    /// When the origin server last vouched for it.
    public var asOf: WallTime
    /// When it becomes stale; nil when nobody gave it a lifetime.
    public var staleAt: WallTime?
    /// The strong entity tag that it came with (RFC 9110 §8.8.3), by which a change of it can be
    /// refused when it is another by then.
    public var validator: String?
    /// The version of the account that the request knew whose answer this is; nil if no request
    /// brought it.
    ///
    /// It orders answers: of two that overlap, the one to the later request is the newer one.
    package var basis: StoreVersion?
    /// What queries can ask for. A field that is missing is null, and one that is null is left out:
    /// there is one way to have none.
    public var fields: [String: FieldValue] { didSet { fields = Self.present(fields) } }

    public init(
        key: EntityKey, schema: Int = 1, bytes: [UInt8], asOf: WallTime, staleAt: WallTime? = nil,
        validator: String? = nil, fields: [String: FieldValue] = [:]
    ) {
        self.key = key
        self.schema = schema
        self.bytes = bytes
        self.asOf = asOf
        self.staleAt = staleAt
        self.validator = validator
        self.fields = Self.present(fields)
    }

    private static func present(_ fields: [String: FieldValue]) -> [String: FieldValue] {
        fields.values.contains(where: \.isNull) ? fields.filter { !$0.value.isNull } : fields
    }
}

public enum EntityChange: Hashable, Sendable {
    /// In the place of what the key had.
    case put(EntityRow)
    /// Of a key that has nothing it is no error.
    case remove(EntityKey)

    public var key: EntityKey {
        switch self {
        case .put(let row): row.key
        case .remove(let key): key
        }
    }
}
