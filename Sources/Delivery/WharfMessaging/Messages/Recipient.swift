public import WharfCore

/// A person, where that person can be reached, and which way is tried when.
///
/// ```swift
/// let ada = Recipient(
///     id: "42", name: "Ada", addresses: ["email": "ada@example.com", "sms": "+358401234567"],
///     preference: .first(of: "email", "sms"))
/// ```
public struct Recipient: Hashable, Sendable, Identifiable {
    /// Messages to one id arrive in order, on each channel.
    public var id: String
    /// As it is displayed; empty for none.
    public var name: String
    /// By the names of channels.
    public var addresses: [String: String]
    /// The channels, and when it is the turn of each. Those without an address are passed over.
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

    /// What is left of the preference where there is an address. A channel that waited for one
    /// without an address waits for what that one waited for. In a circle nobody would ever be
    /// first: the first of it in the preference is.
    var reachable: [OutboxEntry.Target] {
        var seen: Set<String> = []
        let preference = preference.filter { seen.insert($0.destination).inserted }
        var conditions = Dictionary(uniqueKeysWithValues: preference.map { ($0.destination, $0.condition) })
        // Whom addresses are missing for is passed over.
        for target in preference where addresses[target.destination] != nil {
            var condition = target.condition
            // More steps than channels are a circle.
            for _ in preference {
                guard let other = condition.other, addresses[other] == nil else { break }
                condition = conditions[other] ?? .always
            }
            let isReachable = condition.other.map { addresses[$0] != nil } ?? true
            conditions[target.destination] = isReachable ? condition : .always
        }
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

extension OutboxEntry.Target.Condition {
    /// The destination that it depends on.
    var other: String? {
        switch self {
        case .always: nil
        case .afterFailure(let other), .unlessDelivered(let other, _): other
        }
    }
}

extension [OutboxEntry.Target] {
    /// To the first, and to the second as well when the first has not delivered after so long: what
    /// is urgent does not wait until the first has failed for good.
    public static func escalating(from first: String, to second: String, after time: Duration) -> Self {
        [.init(first), .init(second, .unlessDelivered(by: first, within: time))]
    }
}
