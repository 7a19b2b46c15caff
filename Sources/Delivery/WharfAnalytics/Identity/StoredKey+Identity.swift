internal import WharfCore
internal import WharfJSON

extension StoredKey<IdentityProfile> {
    static var profile: Self { StoredKey("wharf.analytics.profile", .identity()) }
}

extension StoredKey<IdentityVisit> {
    static var visit: Self { StoredKey("wharf.analytics.visit", .identity()) }
}

extension Codec where Value: JSONDecodable & JSONEncodable {
    fileprivate static func identity() -> Codec {
        Codec(schema: 1) {
            try JSON.encode($0)
        } decode: { bytes, schema in
            guard schema == 1 else { throw UnknownSchema(schema: schema) }
            return try JSON.decode(Value.self, from: bytes)
        }
    }
}

private struct UnknownSchema: Error, CustomStringConvertible {
    let schema: Int
    var description: String { "schema \(schema) is of a later version" }
}
