/// Writes a union's element to any `Encoder`, for `encode(to:)` of the union.
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

    /// Creates an encoder of one element.
    public init(_ encoder: any Encoder) {
        self.encoder = encoder
    }

    /// Writes a kind without a payload.
    public func encode(_ kind: Union.Kind) throws {
        var fields = encoder.container(keyedBy: PolymorphicKey.self)
        try fields.encode(kind.rawValue, forKey: PolymorphicKey(Union.discriminator))
    }

    /// Writes a kind and its payload.
    ///
    /// - Throws: `EncodingError` if the tag belongs inside the payload, and that is not an object.
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
            // Writes into the same object: coders return one container per object, even if it is
            // requested again.
            try payload.encode(to: encoder)
        }
    }

    /// Throws if the payload is not an object, so that the tag can't be put into it.
    ///
    /// Other coders would drop such a payload silently, or end the process.
    private func requireObject(_ payload: some Encodable) throws {
        guard !(encoder is JSONSlotEncoder) else { return }
        // A trial run, as a foreign encoder does not tell the kind of a payload once it is written.
        let probe = EncodedTree(CodableJSONEncoder())
        probe.userInfo = encoder.userInfo
        var failure: (any Error)?
        do { try probe.encode(root: payload) } catch { failure = error }
        // If an object fails further down, encoding it below reports that error.
        if probe.isObject { return }
        throw failure
            ?? EncodingError.invalidValue(
                payload,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "expected an object to put the tag \"\(Union.discriminator)\" into"))
    }

    /// Writes a kind and a payload that is only `JSONEncodable`, by way of its `JSONValue`.
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
    /// Writes the bytes with ``CodableJSONEncoder``, and the value with other coders.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONSlotEncoder { return encoder.encode(json: json) }
        try value().encode(to: encoder)
    }
}
