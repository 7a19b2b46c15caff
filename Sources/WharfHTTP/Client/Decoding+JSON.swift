public import Foundation
public import WharfJSON

extension Decoding where Payload: JSONDecodable {
    /// JSON, read directly: the fast path, with every error and its place.
    @inlinable public static var json: Self { json() }

    /// JSON, read directly.
    ///
    /// - Parameters:
    ///   - path: the way down to the payload, for answers in an envelope: `.json(at: "data", "items")`.
    ///   - options: depth, repeated keys, how many errors are collected.
    @inlinable public static func json(at path: String..., options: JSONReadingOptions = .init()) -> Self {
        Self(json: { try JSON.decode(Payload.self, from: $0, at: path, options: options) })
    }
}

extension Decoding where Payload: Decodable {
    /// JSON through `Codable`: for payloads that are not `JSONDecodable`, and in code that knows of `Decodable` alone.
    @_disfavoredOverload public static var json: Self { json() }

    /// JSON through `Codable`.
    ///
    /// - Parameters:
    ///   - path: the way down to the payload, for answers in an envelope: `.json(at: "data", "items")`.
    ///   - configure: sets up a new decoder for each answer: `.json { $0.keyDecodingStrategy = .convertFromSnakeCase }`.
    @_disfavoredOverload public static func json(
        at path: String..., configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }
    ) -> Self {
        Self(json: { try Enveloped.decode(Payload.self, from: $0, at: path, configure) })
    }
}
