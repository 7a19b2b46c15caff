public import WharfJSON
// This import links the module. Without it `Codable` would decode dates, bytes, URLs and decimals
// by their own methods instead of the decoder's strategies.
internal import WharfJSONFoundation

extension Decoding where Payload: JSONDecodable {
    /// A decoding of JSON without `Codable`: the fast path. Errors name their place.
    @inlinable public static var json: Self { json() }

    /// Returns a decoding of JSON that reads directly, without `Codable`.
    ///
    /// - Parameters:
    ///   - path: the member names that lead to the payload of an answer with an envelope:
    ///     `.json(at: "data", "items")`.
    ///   - options: depth, repeated keys, how many errors are collected.
    @inlinable public static func json(at path: String..., options: JSONReadingOptions = .init()) -> Self {
        Self(json: { try JSON.decode(Payload.self, from: $0, at: path, options: options) })
    }
}

extension Decoding where Payload: Decodable {
    /// A decoding of JSON through `Codable`, for payloads that are not `JSONDecodable`.
    ///
    /// It is also the one for generic code that knows only `Decodable`.
    @_disfavoredOverload public static var json: Self { json() }

    /// Returns a decoding of JSON through `Codable`.
    ///
    /// - Parameters:
    ///   - path: the member names that lead to the payload of an answer with an envelope:
    ///     `.json(at: "data", "items")`. They are compared with the keys after the decoder's key
    ///     strategy.
    ///   - configure: sets up the decoder:
    ///     `.json { $0.keyDecodingStrategy = .convertFromSnakeCase }`.
    @_disfavoredOverload public static func json(
        at path: String..., configure: (inout CodableJSONDecoder) -> Void = { _ in }
    ) -> Self {
        var decoder = CodableJSONDecoder()
        configure(&decoder)
        return Self(json: { [decoder] in try EnvelopedPayload.decode(Payload.self, from: $0, at: path, by: decoder) })
    }

    /// Returns a decoding of JSON through `Codable` with the given keys and dates.
    ///
    /// - Parameter path: the member names that lead to the payload, as for ``json(at:configure:)``.
    public static func json(at path: String..., as form: CodableJSON) -> Self {
        Self(json: { try EnvelopedPayload.decode(Payload.self, from: $0, at: path, by: form.decoder) })
    }
}
