public import WharfCore
public import WharfJSON

/// An event as it is stored and sent: content, time, user, context.
public struct TrackedEvent: Hashable, Sendable, Identifiable {
    /// The event's id, the same at every sink and on every attempt.
    ///
    /// A receiver can deduplicate by it.
    public let id: String
    /// The call that made the event.
    public let kind: Kind
    /// The event's name, or the screen's; the name of the call for the other kinds.
    public var name: String
    /// The time of the call, in whole milliseconds.
    public let time: WallTime
    /// The purpose that needs consent.
    public let category: Consent.Category
    /// The event's own content and the super-properties.
    ///
    /// They are traits for the kinds with ``Kind/isIdentity``.
    public var properties: [String: JSONValue]
    /// The traits that a receiver sets only if it has none of that name.
    ///
    /// They come with ``Kind/identify(linking:)`` alone.
    public var traitsOnce: [String: JSONValue] = [:]
    /// The fields that stages have added: app, device, campaign.
    public var context: [String: JSONValue] = [:]
    /// The id of the installation, until ``Analytics/reset()``.
    public var anonymousID: String?
    /// The user's id; nil if no user is known.
    public var user: String?
    /// The ids of the user's groups, by type.
    public var groups: [String: String] = [:]
    /// The session, which has the id of its first event.
    public var session: String?

    /// Creates an event of no user and no session.
    ///
    /// - Parameter time: fractions of a millisecond are cut off.
    public init(
        id: String, kind: Kind = .track, name: String, time: WallTime, category: Consent.Category = .statistics,
        properties: [String: JSONValue] = [:]
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.time = WallTime(milliseconds: time.milliseconds)
        self.category = category
        self.properties = properties
    }
}

extension WallTime {
    init(milliseconds: Int64) {
        let (nanoseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        self = overflow ? (milliseconds < 0 ? .distantPast : .distantFuture) : WallTime(nanoseconds: nanoseconds)
    }

    /// The milliseconds since 1970, rounded down.
    var milliseconds: Int64 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
