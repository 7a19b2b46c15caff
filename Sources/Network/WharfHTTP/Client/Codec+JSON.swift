public import WharfCore
public import WharfJSON
// This import links the module. Without it `Codable` would encode dates, bytes, URLs and decimals
// by their own methods instead of the coders' strategies.
internal import WharfJSONFoundation

extension Codec where Value: JSONDecodable & JSONEncodable {
    /// A codec for JSON that encodes and decodes directly, without `Codable`.
    public static var json: Self { json() }

    /// Returns a codec for JSON that encodes and decodes directly, without `Codable`.
    ///
    /// - Parameters:
    ///   - schema: the version to write. Increase it by one if the type changes so that older bytes
    ///     mean something else. Bytes of another version are not read.
    ///   - parts: nested objects and arrays whose parts are merged one by one; see
    ///     ``JSONMergeable``.
    public static func json(schema: Int = 1, merging parts: [JSONMergeable] = []) -> Self {
        Self(schema: schema, members: .json(merging: parts)) { value in
            try JSON.encode(value)
        } decode: { bytes, found in
            try UnknownSchema.check(found, schema)
            return try JSON.decode(Value.self, from: JSONBytes(bytes))
        }
    }
}

extension Codec where Value: Codable {
    /// A codec for JSON through `Codable`, for values without the direct protocols.
    @_disfavoredOverload public static var json: Self { json() }

    /// Returns a codec for JSON through `Codable`.
    ///
    /// - Parameters:
    ///   - schema: the version to write. Increase it by one if the type changes so that older bytes
    ///     mean something else. Bytes of another version are not read.
    ///   - parts: nested objects and arrays whose parts are merged one by one; see
    ///     ``JSONMergeable``.
    ///   - form: the keys and dates. Bytes of another form can't be read: increase `schema` if it
    ///     changes.
    @_disfavoredOverload public static func json(
        schema: Int = 1, merging parts: [JSONMergeable] = [], as form: CodableJSON = CodableJSON()
    ) -> Self {
        Self(schema: schema, members: .json(merging: parts)) { value in
            try form.encoder.encode(value)
        } decode: { bytes, found in
            try UnknownSchema.check(found, schema)
            return try form.decoder.decode(Value.self, from: JSONBytes(bytes))
        }
    }
}

/// The error for stored bytes of another schema version.
struct UnknownSchema: Error, CustomStringConvertible {
    let expected: Int
    let found: Int

    var description: String { "expected bytes of schema \(expected), found schema \(found)" }

    static func check(_ found: Int, _ expected: Int) throws {
        guard found == expected else { throw UnknownSchema(expected: expected, found: found) }
    }
}
