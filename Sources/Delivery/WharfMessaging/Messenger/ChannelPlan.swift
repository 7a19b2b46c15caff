internal import WharfCore

/// The ways of a message: each is a channel with its fallbacks and escalations.
///
/// ```
/// .all("email", "push")            two ways: email; push
/// .first(of: "email", "sms")       one way: email, sms
/// ```
///
/// A way is optional if all its channels are. Invariant: each channel is in one way.
struct ChannelPlan: Hashable, Sendable {
    /// The ways that have to deliver, as names of channels.
    private(set) var required: [[String]] = []
    /// The channels of the other ways.
    private(set) var optional: Set<String> = []

    /// - Parameter optional: the channels that are marked as optional.
    init(_ targets: [OutboxEntry.Target], optional: Set<String>) {
        let names = Set(targets.map(\.destination))
        var ways: [Set<String>] = []
        for target in targets {
            // The target merges all ways that it belongs to. A cycle of conditions is one way.
            var way: Set = [target.destination]
            if let other = target.condition.other, names.contains(other) { way.insert(other) }
            for touched in ways where !touched.isDisjoint(with: way) { way.formUnion(touched) }
            ways.removeAll { $0.isSubset(of: way) }
            ways.append(way)
        }
        for way in ways {
            // One required channel makes the whole way required, since its fallbacks deliver in its
            // place.
            if way.isSubset(of: optional) {
                self.optional.formUnion(way)
            } else {
                required.append(way.sorted())
            }
        }
    }
}
