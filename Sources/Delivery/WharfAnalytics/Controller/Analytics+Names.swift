public import WharfJSON

// Events that are tracked by name, without a type of their own.
extension Analytics {
    /// Tracks an event by its name.
    ///
    /// ```swift
    /// try await analytics.track("Note Added", ["words": 12])
    /// ```
    ///
    /// - Throws: as ``track(_:)``.
    @discardableResult
    public func track(
        _ name: String, _ properties: [String: JSONValue] = [:], category: Consent.Category = .statistics
    ) async throws(AnalyticsError) -> TrackingResult {
        try await keep(category) { () throws(AnalyticsError) in
            EventDraft(name: name, category: category, properties: properties)
        }
    }

    /// Posts an event by its name, without waiting. See ``post(_:)``.
    public func post(
        _ name: String, _ properties: [String: JSONValue] = [:], category: Consent.Category = .statistics
    ) {
        post(category) { () throws(AnalyticsError) in
            EventDraft(name: name, category: category, properties: properties)
        }
    }

    /// Tracks that a screen was shown.
    ///
    /// - Throws: as ``track(_:)``.
    @discardableResult
    public func screen(
        _ name: String, _ properties: [String: JSONValue] = [:], category: Consent.Category = .statistics
    ) async throws(AnalyticsError) -> TrackingResult {
        try await keep(category) { () throws(AnalyticsError) in
            EventDraft(kind: .screen, name: name, category: category, properties: properties)
        }
    }

    /// Posts that a screen was shown, without waiting. See ``post(_:)``.
    public func post(
        screen name: String, _ properties: [String: JSONValue] = [:],
        category: Consent.Category = .statistics
    ) {
        post(category) { () throws(AnalyticsError) in
            EventDraft(kind: .screen, name: name, category: category, properties: properties)
        }
    }
}
