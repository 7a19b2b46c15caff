public import WharfCore
public import WharfJSON

/// An event as it is kept and sent: what was said, when, by whom, and what was known beside it.
public struct TrackedEvent: Hashable, Sendable, Identifiable {
    /// The same at every sink and on every attempt, so that a receiver can tell an event that came twice.
    public let id: String
    public var name: String
    /// In whole milliseconds.
    public let time: WallTime
    public let category: Consent.Category
    /// What the event itself said.
    public var properties: [String: JSONValue]
    /// What stages have added: app, device, campaign.
    public var context: [String: JSONValue]
    public var user: String?
    public var session: String?

    /// - Parameter time: fractions of a millisecond are cut off.
    public init(
        id: String, name: String, time: WallTime, category: Consent.Category = .statistics,
        properties: [String: JSONValue] = [:], context: [String: JSONValue] = [:], user: String? = nil,
        session: String? = nil
    ) {
        self.id = id
        self.name = name
        self.time = WallTime(milliseconds: time.milliseconds)
        self.category = category
        self.properties = properties
        self.context = context
        self.user = user
        self.session = session
    }
}

extension TrackedEvent {
    /// - Throws: ``AnalyticsError/Code/notEncodable``.
    init(_ event: some AnalyticsEvent, id: String, time: WallTime) throws(AnalyticsError) {
        do throws(JSONError) {
            let properties = try JSON.decode([String: JSONValue].self, from: try JSON.encode(event))
            self.init(id: id, name: event.name, time: time, category: event.category, properties: properties)
        } catch {
            throw AnalyticsError(
                .notEncodable,
                message: "expected the properties of \"\(event.name)\" (\(type(of: event))) as a JSON object, found "
                    + "that they can't be written as one: \(error)", cause: error)
        }
    }
}

extension WallTime {
    init(milliseconds: Int64) {
        let (nanoseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        self = overflow ? (milliseconds < 0 ? .distantPast : .distantFuture) : WallTime(nanoseconds: nanoseconds)
    }

    /// Since 1970, rounded down.
    var milliseconds: Int64 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
