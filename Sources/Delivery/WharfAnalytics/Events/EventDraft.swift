internal import WharfJSON

/// The content of a call, before id, time, identity and session are added.
struct EventDraft {
    var kind: TrackedEvent.Kind = .track
    var name: String
    var category: Consent.Category
    var properties: [String: JSONValue]
    var traitsOnce: [String: JSONValue] = [:]
}

extension EventDraft {
    /// - Throws: ``AnalyticsError/Code/notEncodable``.
    init(_ event: some AnalyticsEvent) throws(AnalyticsError) {
        do throws(JSONError) {
            let properties = try JSON.decode([String: JSONValue].self, from: try JSON.encode(event))
            self.init(name: event.name, category: event.category, properties: properties)
        } catch {
            throw AnalyticsError(
                .notEncodable,
                message: "the properties of \"\(event.name)\" (\(type(of: event))) can't be written as a JSON object: "
                    + "\(error)", cause: error)
        }
    }
}
