internal import WharfCore
internal import WharfJSON

extension CollectorFormat {
    /// The form of PostHog's `POST /batch/`.
    ///
    /// - Event: at most 1 MB; request: at most 20 MB.
    /// - `uuid` is the event's id, by which PostHog deduplicates.
    /// - `distinct_id` is the user, or the anonymous id. An
    ///   ``Analytics/identify(_:traits:once:category:)`` of the first user links the two by
    ///   `$anon_distinct_id`.
    /// - Fields of ``TrackedEvent/context`` are properties, such as `$app_version`.
    ///
    /// See [PostHog's documentation](https://posthog.com/docs/api/capture).
    ///
    /// - Parameters:
    ///   - apiKey: the project's key.
    ///   - anonymousProfiles: whether PostHog makes a person of each anonymous id. Events without
    ///     one cost less.
    public static func postHog(apiKey: String, anonymousProfiles: Bool = false) -> CollectorFormat {
        var format = CollectorFormat()
        format.event = { PostHogEvent(event: $0, anonymousProfiles: anonymousProfiles).json }
        format.envelope = { events, now in
            var members = JSONMembers()
            members.add("api_key", apiKey)
            members.add("historical_migration", false)
            // With the timestamps it lets PostHog correct a wrong clock.
            members.add("sent_at", now.description)
            members.add("batch", JSONValue(.array(events)))
            return members.value
        }
        format.hasIdempotencyKey = false
        format.eventLimit = 1_000_000
        format.requestLimit = 20_000_000
        return format
    }
}

/// An event in PostHog's form.
private struct PostHogEvent {
    let event: TrackedEvent
    let anonymousProfiles: Bool

    var json: JSONValue {
        var members = JSONMembers()
        members.add("event", name)
        members.add("distinct_id", distinctID)
        members.add("properties", JSONValue(sorted: properties))
        members.add("timestamp", event.time.description)
        // PostHog refuses the whole request if one `uuid` is no UUID.
        if Self.isUUID(event.id) { members.add("uuid", event.id) }
        return members.value
    }

    private var name: String {
        switch event.kind {
        case .track: event.name
        case .screen: "$screen"
        case .identify: "$identify"
        case .alias: "$create_alias"
        case .group: "$groupidentify"
        }
    }

    private var distinctID: String? {
        if case .alias(let previous) = event.kind, previous != event.anonymousID { return previous }
        return event.user ?? event.anonymousID
    }

    /// The id whose person PostHog merges into that of `distinct_id`.
    ///
    /// PostHog refuses the merge if this person is identified. The anonymous id never is, while the
    /// new id may be, by another device. If both ids are users', only the new one may be
    /// unidentified.
    private func alias(of previous: String) -> String? {
        previous == event.anonymousID ? previous : event.user
    }

    private var properties: [String: JSONValue] {
        var all = event.context
        switch event.kind {
        case .track: all.merge(event.properties) { _, own in own }
        case .screen:
            all.merge(event.properties) { _, own in own }
            all["$screen_name"] = JSONValue(.string(event.name))
        case .identify(let linking):
            all["$set"] = JSONValue(sorted: event.properties)
            if !event.traitsOnce.isEmpty { all["$set_once"] = JSONValue(sorted: event.traitsOnce) }
            if let linking { all["$anon_distinct_id"] = JSONValue(.string(linking)) }
        case .alias(let previous):
            if let alias = alias(of: previous) { all["alias"] = JSONValue(.string(alias)) }
        case .group(let type, let id):
            all["$group_type"] = JSONValue(.string(type))
            all["$group_key"] = JSONValue(.string(id))
            all["$group_set"] = JSONValue(sorted: event.properties)
        }
        all["$lib"] = "wharf"
        if let session = event.session { all["$session_id"] = JSONValue(.string(session)) }
        if !event.groups.isEmpty { all["$groups"] = JSONValue(sorted: event.groups.mapValues { .init(.string($0)) }) }
        // PostHog ignores the groups of an event without a person.
        if !anonymousProfiles, event.user == nil, event.groups.isEmpty, !event.kind.isIdentity {
            all["$process_person_profile"] = false
        }
        return all
    }

    private static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.utf8.allSatisfy(isHexDigit) }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
