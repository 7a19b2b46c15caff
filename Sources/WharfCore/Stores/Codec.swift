/// How a value lies in a store.
///
/// The bytes carry the version of what they mean, so that a later release can read what an earlier
/// one wrote, or say that it can't:
///
/// ```swift
/// let notes = Codec<Note>(schema: 2) { note in try note.serialized() } decode: { bytes, schema in
///     schema == 1 ? try Note(old: bytes) : try Note(bytes)
/// }
/// ```
public struct Codec<Value: Sendable>: Sendable {
    /// The version that `encode` writes.
    public let schema: Int
    public let encode: @Sendable (Value) throws -> [UInt8]
    /// Throws for a version that it doesn't know.
    public let decode: @Sendable (_ bytes: [UInt8], _ schema: Int) throws -> Value
    /// nil where the bytes have no members that could be changed one by one.
    public let members: CodecMembers?

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

    /// The same bytes for another type: the stored form stays that of the payload, whatever model
    /// the app makes of it.
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
