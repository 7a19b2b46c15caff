public import WharfJSON

/// Something that happened, with its properties: any value, declared where it happens.
///
/// ```swift
/// struct FilmOpened: AnalyticsEvent, Encodable {
///     var name: String { "film.opened" }
///     let film: Int
///     let from: String
/// }
///
/// try await analytics.track(FilmOpened(film: 7, from: "search"))
/// ```
///
/// What it encodes is its properties, which must be an object: by `Encodable`, by `@JSONCodable`,
/// or by hand. There is no list of all events: a new one edits no file, and modules have events of
/// their own.
public protocol AnalyticsEvent: JSONEncodable, Sendable {
    /// By what receivers know it. Not part of what it encodes.
    var name: String { get }

    /// What somebody has to have consented to before it is kept; ``Consent/Category/statistics``
    /// where the event does not say.
    var category: Consent.Category { get }
}

extension AnalyticsEvent {
    public var category: Consent.Category { .statistics }
}

extension AnalyticsEvent where Self: Encodable {
    public func encode(into json: inout JSONWriter) {
        do {
            json.raw(try CodableJSONEncoder().encode(self))
        } catch {
            json.invalid(expected: "properties that can be encoded; \(error)")
        }
    }
}
