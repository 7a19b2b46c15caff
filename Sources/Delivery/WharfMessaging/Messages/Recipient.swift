public import WharfCore

/// A recipient with addresses, and a preference for the channels that use them.
///
/// ```swift
/// let ada = Recipient(
///     id: "42", name: "Ada", addresses: ["email": "ada@example.com", "sms": "+358401234567"],
///     preference: .first(of: "email", "sms"))
/// ```
public struct Recipient: Hashable, Sendable, Identifiable {
    /// The id. Messages to one id arrive in order on each channel.
    public var id: String
    /// The display name; empty for none.
    public var name: String
    /// The addresses by the names of channels.
    public var addresses: [String: String]
    /// The channels and the condition for each. Channels without an address are skipped.
    public var preference: [OutboxEntry.Target]
    /// The channels of the preference whose failure does not fail the message.
    ///
    /// ```swift
    /// let ada = Recipient(
    ///     id: "42", addresses: ["email": "ada@example.com", "push": "token"],
    ///     preference: .all("email", "push"), optional: ["push"])
    /// ```
    ///
    /// A channel and its fallbacks are one way. A way is optional if all its channels are optional.
    /// A message counts as delivered when each other way has delivered it
    /// (``MessageOutcome/isDelivered``).
    public var optional: Set<String>

    /// Creates a recipient.
    public init(
        id: String, name: String = "", addresses: [String: String], preference: [OutboxEntry.Target],
        optional: Set<String> = []
    ) {
        self.id = id
        self.name = name
        self.addresses = addresses
        self.preference = preference
        self.optional = optional
    }

    /// The targets of the preference that have an address.
    ///
    /// - If a target depends on a channel without an address, it takes over the condition of that
    ///   channel.
    /// - In a cycle each channel would wait for another, and none would send. The cycle's first
    ///   channel in the preference sends always.
    var reachable: [OutboxEntry.Target] {
        // A channel that is named twice would have two conditions. The first one counts.
        var seen: Set<String> = []
        let preference = preference.filter { seen.insert($0.destination).inserted }
        var conditions = Dictionary(uniqueKeysWithValues: preference.map { ($0.destination, $0.condition) })
        // Replace conditions on channels that have no address.
        for target in preference where addresses[target.destination] != nil {
            var condition = target.condition
            // A chain with more steps than channels is a cycle.
            for _ in preference {
                guard let other = condition.other, addresses[other] == nil else { break }
                condition = conditions[other] ?? .always
            }
            let isReachable = condition.other.map { addresses[$0] != nil } ?? true
            conditions[target.destination] = isReachable ? condition : .always
        }
        // Conditions now depend on reachable channels only. Cycles are searched in that graph,
        // where a skipped channel can have closed one.
        let reachable = preference.filter { addresses[$0.destination] != nil }
        for target in reachable {
            var other = conditions[target.destination]?.other
            for _ in reachable {
                guard let current = other, current != target.destination else { break }
                other = conditions[current]?.other
            }
            if other == target.destination { conditions[target.destination] = .always }
        }
        return reachable.map { .init($0.destination, conditions[$0.destination] ?? .always) }
    }
}

extension OutboxEntry.Target.DeliveryCondition {
    /// The destination that it depends on.
    var other: String? {
        switch self {
        case .always: nil
        case .afterFailure(let other), .unlessDelivered(let other, _): other
        }
    }
}

extension [OutboxEntry.Target] {
    /// Returns targets that escalate to a second channel after a time.
    ///
    /// The second channel sends if the first one has not delivered in that time. Use it for urgent
    /// messages, which must not wait until the first channel has failed for good.
    public static func escalating(from first: String, to second: String, after time: Duration) -> Self {
        [.init(first), .init(second, .unlessDelivered(by: first, within: time))]
    }
}
