/// The encoding of a value in a store.
///
/// The bytes have a schema version. A later release can read the bytes of an earlier one by it, or
/// report that it can't:
///
/// ```swift
/// let notes = Codec<Note>(schema: 2) { note in try note.serialized() } decode: { bytes, schema in
///     schema == 1 ? try Note(old: bytes) : try Note(bytes)
/// }
/// ```
public struct Codec<Value: Sendable>: Sendable {
    /// The version that `encode` writes.
    public let schema: Int
    /// Encodes a value in the present schema.
    public let encode: @Sendable (Value) throws -> [UInt8]
    /// Decodes bytes of a schema. It throws for a schema that it does not know.
    public let decode: @Sendable (_ bytes: [UInt8], _ schema: Int) throws -> Value
    /// The members of the bytes; nil if single members can't be changed.
    public let members: CodecMembers?

    /// Creates a codec.
    public init(
        schema: Int = 1, members: CodecMembers? = nil,
        encode: @escaping @Sendable (Value) throws -> [UInt8],
        decode: @escaping @Sendable (_ bytes: [UInt8], _ schema: Int) throws -> Value
    ) {
        self.schema = schema
        self.encode = encode
        self.decode = decode
        self.members = members
    }

    /// Returns a codec of another type with the same bytes.
    ///
    /// The stored form stays that of the payload, independent of the model that the app makes of
    /// it.
    public func map<Model: Sendable>(
        to model: @escaping @Sendable (Value) throws -> Model, from value: @escaping @Sendable (Model) throws -> Value
    ) -> Codec<Model> {
        Codec<Model>(schema: schema, members: members) { [encode] in
            try encode(value($0))
        } decode: { [decode] bytes, schema in
            try model(decode(bytes, schema))
        }
    }
}
