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

    public init(
        id: String, name: String = "", addresses: [String: String], preference: [OutboxEntry.Target]
    ) {
        self.id = id
        self.name = name
        self.addresses = addresses
        self.preference = preference
    }

    /// What is left of the preference where there is an address. A channel that waited for one without an address waits for what that one
    /// waited for.
    var reachable: [OutboxEntry.Target] {
        let conditions = Dictionary(preference.map { ($0.destination, $0.condition) }) { first, _ in first }
        var taken: Set<String> = []
        return preference.compactMap { target in
            guard addresses[target.destination] != nil, taken.insert(target.destination).inserted else { return nil }
            var condition = target.condition
            // Each step leads to another channel, or the preference is a circle, in which nobody would ever be first.
            for _ in 0...preference.count {
                guard let other = condition.other, addresses[other] == nil else {
                    return .init(target.destination, condition)
                }
                condition = conditions[other] ?? .always
            }
            return .init(target.destination)
        }
    }
}

extension OutboxEntry.Target.Condition {
    /// Whose fate it hangs on.
    fileprivate var other: String? {
        switch self {
        case .always: nil
        case .afterFailure(let other), .unlessDelivered(let other, _): other
        }
    }
}

extension [OutboxEntry.Target] {
    /// To the first, and to the second as well when the first has not delivered after so long: what is urgent does not wait until the first has
    /// failed for good.
    public static func escalating(from first: String, to second: String, after time: Duration) -> Self {
        [.init(first), .init(second, .unlessDelivered(by: first, within: time))]
    }
}
