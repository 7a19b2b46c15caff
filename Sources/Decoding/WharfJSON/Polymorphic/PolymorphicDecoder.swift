/// Reads a union's element from any `Decoder`, for `init(from:)` of the union.
///
/// The macro `@Polymorphic` uses it, or you do:
///
/// ```swift
/// init(from decoder: any Decoder) throws {
///     let element = try PolymorphicDecoder<Self>(decoder)
///     switch element.kind {
///     case .square?: self = .square(try element.payload(Square.self))
///     case .unknown?, nil: self = .unknown(try element.unknown())
///     }
/// }
/// ```
public struct PolymorphicDecoder<Union: JSONPolymorphic> {
    /// The kind; nil if the union does not know the tag.
    public let kind: Union.Kind?
    private let tag: String
    private let decoder: any Decoder
    private let fields: KeyedDecodingContainer<PolymorphicKey>

    /// Reads the tag of an element.
    ///
    /// - Throws: `DecodingError` if there is no tag.
    public init(_ decoder: any Decoder) throws {
        self.decoder = decoder
        fields = try decoder.container(keyedBy: PolymorphicKey.self)
        tag = try fields.decode(String.self, forKey: PolymorphicKey(Union.discriminator))
        // The name of the case for unknown elements is no tag of its own.
        kind = Union.Kind(rawValue: tag).flatMap { $0 == Union.unknownKind ? nil : $0 }
    }

    /// Returns the payload.
    ///
    /// It is the value beside the tag or, with internal tagging, the object that contains the tag.
    public func payload<Payload: Decodable>(_ type: Payload.Type) throws -> Payload {
        guard let content = Union.content else { return try Payload(from: decoder) }
        return try fields.decode(type, forKey: PolymorphicKey(content))
    }

    /// Returns a payload that is only `JSONDecodable`.
    ///
    /// With ``CodableJSONDecoder`` it is read in place. Other coders give a `JSONValue` first.
    @_disfavoredOverload public func payload<Payload: JSONDecodable>(_ type: Payload.Type) throws -> Payload {
        // The same decoder that a payload would get, so its place and limits are right.
        if let decoder = (try payload(DecoderItself.self).decoder as? any JSONNodeBacked)?.jsonNode {
            return try decoder.read(directly: type)
        }
        let value = try payload(JSONValue.self)
        do throws(JSONError) {
            return try JSON.decode(type, from: JSONBytes(JSON.encode(value)), options: .deepest)
        } catch {
            let path = decoder.codingPath + (Union.content.map { [PolymorphicKey($0)] } ?? [])
            // The places are relative to the payload, as such a coder knows no others.
            throw DecodingError.dataCorrupted(
                .init(codingPath: path, debugDescription: error.message, underlyingError: error))
        }
    }

    /// Returns the element as it is.
    ///
    /// It is kept byte for byte with ``CodableJSONDecoder``, and by value with others.
    public func unknown() throws -> UnknownElement {
        if let decoder = (decoder as? any JSONNodeBacked)?.jsonNode {
            return UnknownElement(kind: tag, checked: decoder.json)
        }
        return UnknownElement(kind: tag, checked: try JSON.encode(JSONValue(from: decoder)))
    }

    /// Returns the error for a union that keeps no unknown elements.
    public func unknownKind() -> DecodingError {
        let path = decoder.codingPath + [PolymorphicKey(Union.discriminator)]
        let kinds = oneOf(Union.Kind.allCases.map { $0.rawValue.debugDescription })
        return .dataCorrupted(
            .init(codingPath: path, debugDescription: "expected \(kinds), found \(tag.debugDescription)"))
    }
}

/// Captures the decoder of a value, and decodes nothing.
private struct DecoderItself: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) throws { self.decoder = decoder }
}

/// A coding key made of text.
struct PolymorphicKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ key: StaticString) { stringValue = key.description }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
