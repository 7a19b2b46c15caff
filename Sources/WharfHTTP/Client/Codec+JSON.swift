public import WharfCore
public import WharfJSON
// Linked with this, so that `Codable` reads and writes dates, bytes, URLs and decimals by their
// strategies.
internal import WharfJSONFoundation

extension Codec where Value: JSONDecodable & JSONEncodable {
    /// As JSON, read and written directly.
    public static var json: Self { json() }

    /// As JSON, read and written directly.
    ///
    /// - Parameters:
    ///   - schema: the version that is written; one more when the type changed so that older bytes
    ///     mean something else. Bytes of another version are not read.
    ///   - parts: nested objects and arrays whose pieces are merged one by one; see
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
    /// As JSON through `Codable`: for values that are not `JSONDecodable` and `JSONEncodable`.
    @_disfavoredOverload public static var json: Self { json() }

    /// As JSON through `Codable`.
    ///
    /// - Parameters:
    ///   - schema: the version that is written; one more when the type changed so that older bytes
    ///     mean something else. Bytes of another version are not read.
    ///   - parts: nested objects and arrays whose pieces are merged one by one; see
    ///     ``JSONMergeable``.
    ///   - form: the keys and dates. Bytes of another form are not read: count `schema` up if it
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

/// Stored bytes of a version that this codec does not read.
struct UnknownSchema: Error, CustomStringConvertible {
    let expected: Int
    let found: Int

    var description: String { "expected bytes of schema \(expected), found schema \(found)" }

    static func check(_ found: Int, _ expected: Int) throws {
        guard found == expected else { throw UnknownSchema(expected: expected, found: found) }
    }
}
