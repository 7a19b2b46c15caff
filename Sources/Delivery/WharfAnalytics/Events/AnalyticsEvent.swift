public import WharfJSON

/// An event with its properties: any value, declared in the code that tracks it.
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
/// Its encoding is its properties, which must be an object: by `Encodable`, by `@JSONCodable`, or
/// by hand. There is no list of all events: a new one edits no file, and modules have events of
/// their own.
public protocol AnalyticsEvent: JSONEncodable, Sendable {
    /// The name by which receivers know the event. It is not part of the encoding.
    var name: String { get }

    /// The category that needs consent before the event is kept.
    ///
    /// The default is ``Consent/Category/statistics``.
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
