/// Writes a union's element for a coder other than this library's: what `encode(to:)` of a union is
/// made of.
///
/// ```swift
/// func encode(to encoder: any Encoder) throws {
///     let element = PolymorphicEncoder<Self>(encoder)
///     switch self {
///     case .square(let square): try element.encode(.square, square)
///     case .unknown(let unknown): try unknown.encode(to: encoder)
///     }
/// }
/// ```
public struct PolymorphicEncoder<Union: JSONPolymorphic> {
    private let encoder: any Encoder

    public init(_ encoder: any Encoder) {
        self.encoder = encoder
    }

    /// A kind without a payload.
    public func encode(_ kind: Union.Kind) throws {
        var fields = encoder.container(keyedBy: PolymorphicKey.self)
        try fields.encode(kind.rawValue, forKey: PolymorphicKey(Union.discriminator))
    }

    /// - Throws: `EncodingError` where the tag is to stand in the payload, and that is no object.
    public func encode(_ kind: Union.Kind, _ payload: some Encodable) throws {
        var fields = encoder.container(keyedBy: PolymorphicKey.self)
        try fields.encode(kind.rawValue, forKey: PolymorphicKey(Union.discriminator))
        if let content = Union.content {
            try fields.encode(payload, forKey: PolymorphicKey(content))
        } else {
            if let encoder = encoder as? JSONSlotEncoder, case .object(let members)? = (payload as? JSONValue)?.content
            {
                return try encoder.encode(members: members)
            }
            try requireObject(payload)
            // Into the same object: coders give one container for an object, however often it is
            // asked for.
            try payload.encode(to: encoder)
        }
    }

    /// What is no object has no place beside the tag: other coders than ours leave it out without a
    /// word, or end the process.
    private func requireObject(_ payload: some Encodable) throws {
        guard !(encoder is JSONSlotEncoder) else { return }
        let probe = EncodedTree(CodableJSONEncoder())
        probe.userInfo = encoder.userInfo
        var failure: (any Error)?
        do { try probe.encode(root: payload) } catch { failure = error }
        // An object that fails further down fails below with what the coder has to say of it.
        if probe.isObject { return }
        throw failure
            ?? EncodingError.invalidValue(
                payload,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "expected an object to put the tag \"\(Union.discriminator)\" into"))
    }

    /// A payload that only writes itself as JSON, by way of its value.
    @_disfavoredOverload public func encode(_ kind: Union.Kind, _ payload: some JSONEncodable) throws {
        do {
            try encode(kind, JSON.decode(JSONValue.self, from: JSON.encode(payload)))
        } catch let error as JSONError {
            throw EncodingError.invalidValue(
                payload,
                .init(codingPath: encoder.codingPath, debugDescription: error.message, underlyingError: error))
        }
    }
}

extension UnknownElement: Encodable {
    /// Byte for byte with ``CodableJSONEncoder``; by value with others, which can't be given bytes.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONSlotEncoder { return encoder.encode(json: json) }
        try value().encode(to: encoder)
    }
}
