internal import WharfCore
internal import WharfJSON

/// The part of an identity that calls change: user, groups, super-properties.
struct IdentityProfile: Hashable, Sendable {
    var user: String?
    /// The first user since the anonymous id was made; its events are that user's.
    ///
    /// Invariant: no identify of another user is linked to the anonymous id. A receiver would merge
    /// the histories of two people.
    var linkedUser: String?
    /// The ids of the user's groups, by type.
    var groups: [String: String] = [:]
    /// The super-properties.
    var properties: [String: JSONValue] = [:]
}

extension IdentityProfile: JSONDecodable, JSONEncodable {
    static func decode(from json: inout JSONReader) -> IdentityProfile? {
        guard var fields = json.beginObject() else { return nil }
        var user: String?, linkedUser: String?
        var groups: [String: String]?, properties: [String: JSONValue]?
        repeat {
            json.read("user", 0, into: &user, &fields)
            json.read("groups", 1, into: &groups, &fields)
            json.read("properties", 2, into: &properties, &fields)
            json.read("linked", 3, into: &linkedUser, &fields)
        } while json.next(&fields)
        return IdentityProfile(
            user: user, linkedUser: linkedUser ?? user, groups: groups ?? [:], properties: properties ?? [:])
    }

    func encode(into json: inout JSONWriter) {
        var members = JSONMembers()
        members.add("user", user)
        if linkedUser != user { members.add("linked", linkedUser) }
        members.add("groups", unlessEmpty: groups.mapValues { JSONValue(.string($0)) })
        members.add("properties", unlessEmpty: properties)
        members.value.encode(into: &json)
    }
}
