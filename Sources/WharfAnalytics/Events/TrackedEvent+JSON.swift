internal import WharfCore
public import WharfJSON

/// As it lies in the outbox, and as sinks send it where they are given no form of their own. Keys are in a fixed order, so that
/// an event has the same bytes each time.
extension TrackedEvent: JSONDecodable, JSONEncodable {
    public static func decode(from json: inout JSONReader) -> TrackedEvent? {
        guard var fields = json.beginObject() else { return nil }
        var id: String?, name: String?, time: Int64?, category: String?
        var properties: [String: JSONValue]?, context: [String: JSONValue]?, user: String?, session: String?
        repeat {
            json.read("id", 0, into: &id, &fields)
            json.read("name", 1, into: &name, &fields)
            json.read("time", 2, into: &time, &fields)
            json.read("category", 3, into: &category, &fields)
            json.read("user", 4, into: &user, &fields)
            json.read("session", 5, into: &session, &fields)
            json.read("properties", 6, into: &properties, &fields)
            json.read("context", 7, into: &context, &fields)
        } while json.next(&fields)
        guard let id, let name, let time, let category else {
            return json.incomplete(
                fields, required: [(0, "id"), (1, "name"), (2, "time"), (3, "category")])
        }
        return TrackedEvent(
            id: id, name: name, time: WallTime(milliseconds: time), category: .init(category),
            properties: properties ?? [:], context: context ?? [:], user: user, session: session)
    }

    public func encode(into json: inout JSONWriter) { self.json.encode(into: &json) }

    /// `{"id", "name", "time", "category", "user", "session", "properties", "context"}`, the time in milliseconds since 1970;
    /// what there is none of is left out.
    public var json: JSONValue {
        var members = [
            JSONMember("id", JSONValue(.string(id))),
            JSONMember("name", JSONValue(.string(name))),
            JSONMember("time", JSONValue(.number(JSONNumber(time.milliseconds)))),
            JSONMember("category", JSONValue(.string(category.name))),
        ]
        if let user { members.append(JSONMember("user", JSONValue(.string(user)))) }
        if let session { members.append(JSONMember("session", JSONValue(.string(session)))) }
        members.append(JSONMember("properties", JSONValue(sorted: properties)))
        if !context.isEmpty { members.append(JSONMember("context", JSONValue(sorted: context))) }
        return JSONValue(.object(members))
    }
}

extension JSONValue {
    /// An object with its keys in the order of their bytes.
    init(sorted fields: [String: JSONValue]) {
        let members = fields.map { JSONMember($0.key, $0.value) }
        self.init(.object(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }))
    }
}
