internal import WharfCore
internal import WharfJSON

/// The part of an identity that each event changes: the anonymous id and the session.
struct IdentityVisit: Hashable, Sendable {
    var anonymousID: String
    /// The id of its first event.
    var session: String
    /// The time of its last event, in whole milliseconds.
    var lastSeen: WallTime

    /// Adds an event, which begins a session if the last one is longer ago than the timeout.
    ///
    /// A clock that was set back begins no session.
    mutating func add(_ event: String, at time: WallTime, timeout: Duration) {
        if time - lastSeen > timeout { session = event }
        lastSeen = WallTime(milliseconds: time.milliseconds)
    }
}

extension IdentityVisit: JSONDecodable, JSONEncodable {
    static func decode(from json: inout JSONReader) -> IdentityVisit? {
        guard var fields = json.beginObject() else { return nil }
        var anonymous: String?, session: String?, seen: Int64?
        repeat {
            json.read("anonymous", 0, into: &anonymous, &fields)
            json.read("session", 1, into: &session, &fields)
            json.read("seen", 2, into: &seen, &fields)
        } while json.next(&fields)
        guard let anonymous, let session, let seen else {
            return json.incomplete(fields, required: [(0, "anonymous"), (1, "session"), (2, "seen")])
        }
        return IdentityVisit(anonymousID: anonymous, session: session, lastSeen: WallTime(milliseconds: seen))
    }

    func encode(into json: inout JSONWriter) {
        var members = JSONMembers()
        members.add("anonymous", anonymousID)
        members.add("session", session)
        members.add("seen", JSONValue(.number(JSONNumber(lastSeen.milliseconds))))
        members.value.encode(into: &json)
    }
}
