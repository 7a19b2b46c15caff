internal import WharfCore
internal import WharfJSON

/// The fields of an event that do not come from its call.
struct EventStamp {
    var id: String
    var time: WallTime
    var anonymousID: String
    var session: String
    var profile: IdentityProfile
}

extension TrackedEvent {
    /// Creates an event.
    ///
    /// Super-properties do not replace the event's own, and are no traits.
    init(_ draft: EventDraft, _ stamp: EventStamp) {
        let own = draft.properties
        let properties = draft.kind.isIdentity ? own : stamp.profile.properties.merging(own) { _, own in own }
        self.init(
            id: stamp.id, kind: draft.kind, name: draft.name, time: stamp.time, category: draft.category,
            properties: properties)
        traitsOnce = draft.traitsOnce
        anonymousID = stamp.anonymousID
        user = stamp.profile.user
        groups = stamp.profile.groups
        session = stamp.session
    }
}
