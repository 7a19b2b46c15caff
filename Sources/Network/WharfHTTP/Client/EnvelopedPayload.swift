package import WharfJSON

/// The payload at the end of a path of nested objects, for `Codable`.
package struct EnvelopedPayload<Payload: Decodable & Sendable>: Decodable {
    private let payload: Payload

    package static func decode(
        _ type: Payload.Type, from bytes: JSONBytes, at path: [String], by decoder: CodableJSONDecoder
    ) throws -> Payload {
        guard !path.isEmpty else { return try decoder.decode(type, from: bytes) }
        var decoder = decoder
        decoder.userInfo[.envelope] = path
        return try decoder.decode(Self.self, from: bytes).payload
    }

    package init(from decoder: any Decoder) throws {
        let path = (decoder.userInfo[.envelope] as? [String] ?? []).map(Key.init)
        guard let last = path.last else {
            payload = try Payload(from: decoder)
            return
        }
        var container = try decoder.container(keyedBy: Key.self)
        for key in path.dropLast() { container = try container.nestedContainer(keyedBy: Key.self, forKey: key) }
        payload = try container.decode(Payload.self, forKey: last)
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ stringValue: String) { self.stringValue = stringValue }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension CodingUserInfoKey {
    // The initialiser is failable only because the protocol requires it; it never returns nil.
    fileprivate static let envelope = CodingUserInfoKey(rawValue: "wharf.envelope").unsafelyUnwrapped
}
