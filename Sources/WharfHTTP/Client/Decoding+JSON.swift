public import WharfJSON
// Linked with this, so that `Codable` reads and writes dates, bytes, URLs and decimals by their
// strategies.
internal import WharfJSONFoundation

extension Decoding where Payload: JSONDecodable {
    /// JSON, read directly: the fast path, with every error and its place.
    @inlinable public static var json: Self { json() }

    /// JSON, read directly.
    ///
    /// - Parameters:
    ///   - path: the way down to the payload, for answers in an envelope:
    ///     `.json(at: "data", "items")`.
    ///   - options: depth, repeated keys, how many errors are collected.
    @inlinable public static func json(at path: String..., options: JSONReadingOptions = .init()) -> Self {
        Self(json: { try JSON.decode(Payload.self, from: $0, at: path, options: options) })
    }
}

extension Decoding where Payload: Decodable {
    /// JSON through `Codable`: for payloads that are not `JSONDecodable`, and in code that knows of
    /// `Decodable` alone.
    @_disfavoredOverload public static var json: Self { json() }

    /// JSON through `Codable`.
    ///
    /// - Parameters:
    ///   - path: the way down to the payload, for answers in an envelope:
    ///     `.json(at: "data", "items")`. Its keys are compared as the decoder's key strategy leaves
    ///     them.
    ///   - configure: sets up the decoder:
    ///     `.json { $0.keyDecodingStrategy = .convertFromSnakeCase }`.
    @_disfavoredOverload public static func json(
        at path: String..., configure: (inout CodableJSONDecoder) -> Void = { _ in }
    ) -> Self {
        var decoder = CodableJSONDecoder()
        configure(&decoder)
        return Self(json: { [decoder] in try Enveloped.decode(Payload.self, from: $0, at: path, by: decoder) })
    }

    /// JSON through `Codable`, in a form that is named.
    ///
    /// - Parameter path: the way down to the payload, as for ``json(at:configure:)``.
    public static func json(at path: String..., as form: CodableJSON) -> Self {
        Self(json: { try Enveloped.decode(Payload.self, from: $0, at: path, by: form.decoder) })
    }
}
