extension TrackedEvent {
    /// The call that made the event.
    public enum Kind: Hashable, Sendable {
        /// An action or occurrence: ``Analytics/track(_:)``.
        case track
        /// A screen was shown. ``TrackedEvent/name`` is its name.
        case screen
        /// A user is known by an id from now on. ``TrackedEvent/properties`` are the user's traits.
        ///
        /// - Parameter linking: the anonymous id whose events are the user's too; nil if another
        ///   user was known first. It comes with each event of the first user.
        case identify(linking: String?)
        /// The user is known by another id from now on.
        ///
        /// - Parameter previous: the id until now, which may be the anonymous one.
        case alias(previous: String)
        /// The user belongs to a group. ``TrackedEvent/properties`` are the group's traits.
        ///
        /// - Parameters:
        ///   - type: a kind of groups, such as "company".
        ///   - id: the group's id.
        case group(type: String, id: String)

        /// The name of the call: "track", "screen", "identify", "alias" or "group".
        public var name: String {
            switch self {
            case .track: "track"
            case .screen: "screen"
            case .identify: "identify"
            case .alias: "alias"
            case .group: "group"
            }
        }

        /// Whether the event describes a user or a group, and no action.
        ///
        /// Without such an event, a receiver takes a user's earlier and later events for those of
        /// two people. ``EventSampling`` never drops one.
        public var isIdentity: Bool {
            switch self {
            case .track, .screen: false
            case .identify, .alias, .group: true
            }
        }
    }
}
