internal import WharfCore
internal import WharfJSON

/// The anonymous id and the session: the part of an identity that events change.
struct IdentityVisit: Hashable, Sendable {
    var anonymousID: String
    /// The session's id, which is the id of its first event.
    var session: String
    /// The time of the session's first event, in whole milliseconds.
    var began: WallTime
    /// The time of the session's last event, in whole milliseconds.
    var lastSeen: WallTime

    /// The longest session. PostHog does not count later events to it.
    private static let longestSession = Duration.seconds(24 * 60 * 60)

    /// Begins a session.
    init(anonymousID: String, event: String, at time: WallTime) {
        let time = WallTime(milliseconds: time.milliseconds)
        self.init(anonymousID: anonymousID, session: event, began: time, lastSeen: time)
    }

    init(anonymousID: String, session: String, began: WallTime, lastSeen: WallTime) {
        self.anonymousID = anonymousID
        self.session = session
        self.began = began
        self.lastSeen = lastSeen
    }

    /// Adds an event to the session, or begins a session with it.
    ///
    /// A session begins if the last event is longer ago than the timeout, and after 24 hours.
    /// A clock that was set back begins no session.
    mutating func add(_ event: String, at time: WallTime, timeout: Duration) {
        if time - lastSeen > timeout || time - began >= Self.longestSession {
            // The id of the session's first event is the session's id, so no further id has to be
            // stored.
            self = IdentityVisit(anonymousID: anonymousID, event: event, at: time)
        } else {
            lastSeen = WallTime(milliseconds: time.milliseconds)
        }
    }
}

extension IdentityVisit: JSONDecodable, JSONEncodable {
    static func decode(from json: inout JSONReader) -> IdentityVisit? {
        guard var fields = json.beginObject() else { return nil }
        var anonymous: String?, session: String?, began: Int64?, seen: Int64?
        repeat {
            json.read("anonymous", 0, into: &anonymous, &fields)
            json.read("session", 1, into: &session, &fields)
            json.read("began", 2, into: &began, &fields)
            json.read("seen", 3, into: &seen, &fields)
        } while json.next(&fields)
        guard let anonymous, let session, let began, let seen else {
            return json.incomplete(
                fields, required: [(0, "anonymous"), (1, "session"), (2, "began"), (3, "seen")])
        }
        return IdentityVisit(
            anonymousID: anonymous, session: session, began: WallTime(milliseconds: began),
            lastSeen: WallTime(milliseconds: seen))
    }

    func encode(into json: inout JSONWriter) {
        var members = JSONMembers()
        members.add("anonymous", anonymousID)
        members.add("session", session)
        members.add("began", JSONValue(.number(JSONNumber(began.milliseconds))))
        members.add("seen", JSONValue(.number(JSONNumber(lastSeen.milliseconds))))
        members.value.encode(into: &json)
    }
}
