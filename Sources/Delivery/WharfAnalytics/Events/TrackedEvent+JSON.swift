internal import WharfCore
public import WharfJSON

/// The form in the outbox, and in requests of sinks without a form of their own.
///
/// Keys are in a fixed order, so that an event has the same bytes each time.
extension TrackedEvent: JSONDecodable, JSONEncodable {
    public static func decode(from json: inout JSONReader) -> TrackedEvent? {
        let place = json.offset
        guard var fields = json.beginObject() else { return nil }
        var id: String?, name: String?, time: Int64?, category: String?
        var properties: [String: JSONValue]?, context: [String: JSONValue]?, user: String?, session: String?
        var traitsOnce: [String: JSONValue]?, anonymousID: String?, groups: [String: String]?
        var call = CallFields()
        repeat {
            json.read("id", 0, into: &id, &fields)
            json.read("name", 1, into: &name, &fields)
            json.read("time", 2, into: &time, &fields)
            json.read("category", 3, into: &category, &fields)
            json.read("user", 4, into: &user, &fields)
            json.read("session", 5, into: &session, &fields)
            json.read("properties", 6, into: &properties, &fields)
            json.read("context", 7, into: &context, &fields)
            json.read("type", 8, into: &call.type, &fields)
            json.read("previous", 9, into: &call.previous, &fields)
            json.read("groupType", 10, into: &call.groupType, &fields)
            json.read("group", 11, into: &call.group, &fields)
            json.read("once", 12, into: &traitsOnce, &fields)
            json.read("anonymous", 13, into: &anonymousID, &fields)
            json.read("groups", 14, into: &groups, &fields)
        } while json.next(&fields)
        guard let id, let name, let time, let category else {
            return json.incomplete(
                fields, required: [(0, "id"), (1, "name"), (2, "time"), (3, "category")])
        }
        guard let kind = call.kind else {
            return json.invalid(at: place, expected: "a type of events of this version, with its fields")
        }
        var event = TrackedEvent(
            id: id, kind: kind, name: name, time: WallTime(milliseconds: time), category: .init(category),
            properties: properties ?? [:])
        event.traitsOnce = traitsOnce ?? [:]
        event.context = context ?? [:]
        event.anonymousID = anonymousID
        event.user = user
        event.groups = groups ?? [:]
        event.session = session
        return event
    }

    public func encode(into json: inout JSONWriter) { self.json.encode(into: &json) }

    /// The event as an object.
    ///
    /// `{"id", "type", "name", "time", "category", "previous", "groupType", "group", "anonymous",
    /// "user", "groups", "session", "properties", "once", "context"}`.
    ///
    /// The time is in milliseconds since 1970. "type" is left out for "track", as is any other
    /// member without a value.
    public var json: JSONValue {
        let call = CallFields(kind)
        var members = JSONMembers()
        members.add("id", id)
        members.add("type", call.type)
        members.add("name", name)
        members.add("time", JSONValue(.number(JSONNumber(time.milliseconds))))
        members.add("category", category.name)
        members.add("previous", call.previous)
        members.add("groupType", call.groupType)
        members.add("group", call.group)
        members.add("anonymous", anonymousID)
        members.add("user", user)
        members.add("groups", unlessEmpty: groups.mapValues { JSONValue(.string($0)) })
        members.add("session", session)
        members.add("properties", JSONValue(sorted: properties))
        members.add("once", unlessEmpty: traitsOnce)
        members.add("context", unlessEmpty: context)
        return members.value
    }
}

/// The members that distinguish the kinds of events.
private struct CallFields {
    var type: String?
    var previous: String?
    var groupType: String?
    var group: String?

    init() {}

    init(_ kind: TrackedEvent.Kind) {
        if kind != .track { type = kind.name }
        switch kind {
        case .track, .screen: break
        case .identify(let linking): previous = linking
        case .alias(let previous): self.previous = previous
        case .group(let type, let id): (groupType, group) = (type, id)
        }
    }

    /// The kind; nil for a type of a later version, and for one without its fields.
    var kind: TrackedEvent.Kind? {
        switch type {
        case nil: return .track
        case "screen": return .screen
        case "identify": return .identify(linking: previous)
        case "alias": return previous.map { .alias(previous: $0) }
        case "group":
            guard let groupType, let group else { return nil }
            return .group(type: groupType, id: group)
        default: return nil
        }
    }
}
