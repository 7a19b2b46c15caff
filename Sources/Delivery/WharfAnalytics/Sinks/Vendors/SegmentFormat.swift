internal import WharfCore
public import WharfJSON

extension CollectorFormat {
    /// The form of Segment's HTTP tracking API, version 1, for `POST /v1/batch`.
    ///
    /// - Event: at most 32 KB; request: at most 500 KB. Segment answers 400 to more, and to a body
    ///   that is no JSON.
    /// - `messageId` is the event's id, by which Segment deduplicates.
    /// - ``TrackedEvent/context`` is Segment's `context`, whose fields Segment specifies.
    /// - Segment has no sessions: the session is the property `session_id` of events and screens.
    /// - Segment has no types of groups: the context has the group's id if there is one group.
    ///
    /// See Segment's
    /// [docs](https://segment.com/docs/connections/sources/catalog/libraries/server/http-api/).
    ///
    /// - Parameter integrations: turns Segment's destinations on and off, such as `["All": true]`.
    public static func segment(integrations: [String: JSONValue] = [:]) -> CollectorFormat {
        var format = CollectorFormat()
        format.event = { SegmentEvent($0).json }
        format.envelope = { events, now in
            var members = JSONMembers()
            members.add("batch", JSONValue(.array(events)))
            // With the timestamps it lets Segment correct a wrong clock. Segment's libraries send
            // it here.
            members.add("sentAt", now.description)
            members.add("context", ["library": ["name": "wharf"]])
            members.add("integrations", unlessEmpty: integrations)
            return members.value
        }
        format.hasIdempotencyKey = false
        format.eventLimit = 32_000
        format.requestLimit = 500_000
        return format
    }
}

/// An event as a call of Segment's specification.
private struct SegmentEvent {
    let event: TrackedEvent

    init(_ event: TrackedEvent) { self.event = event }

    var json: JSONValue {
        var members = JSONMembers()
        members.add("type", event.kind.name)
        members.add("messageId", event.id)
        members.add("timestamp", event.time.description)
        members.add("anonymousId", event.anonymousID)
        members.add("userId", event.user)
        switch event.kind {
        case .track:
            members.add("event", event.name)
            members.add("properties", JSONValue(sorted: properties))
        case .screen:
            members.add("name", event.name)
            members.add("properties", JSONValue(sorted: properties))
        case .identify:
            members.add("traits", JSONValue(sorted: event.traitsOnce.merging(event.properties) { _, always in always }))
        case .alias(let previous):
            members.add("previousId", previous)
        case .group(_, let id):
            members.add("groupId", id)
            members.add("traits", JSONValue(sorted: event.properties))
        }
        members.add("context", unlessEmpty: context)
        return members.value
    }

    private var properties: [String: JSONValue] {
        guard let session = event.session else { return event.properties }
        return event.properties.merging(["session_id": JSONValue(.string(session))]) { own, _ in own }
    }

    private var context: [String: JSONValue] {
        // Segment has no types of groups, so only a single group can be named.
        guard event.groups.count == 1, let id = event.groups.values.first else { return event.context }
        return event.context.merging(["groupId": JSONValue(.string(id))]) { own, _ in own }
    }
}
