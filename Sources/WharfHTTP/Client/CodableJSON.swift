public import WharfJSON
internal import WharfJSONFoundation

/// The form of `Codable` payloads as JSON, of what is read and of what is sent.
///
/// Name it where a payload is named:
///
/// ```swift
/// let form = CodableJSON(keys: .snakeCase, dates: .iso8601)
/// let notes = stack.repository(.notes, at: "notes", json: form)
/// ```
public struct CodableJSON: Sendable {
    /// The names of members.
    public enum Keys: Hashable, Sendable {
        /// As the coding keys of the payload say.
        case asDeclared
        /// `dueDate` is `due_date`.
        case snakeCase
    }

    /// The form of each `Date`.
    public enum Dates: Hashable, Sendable {
        /// As `Date` encodes itself: seconds since 2001.
        case deferredToDate
        /// A number of seconds since 1970.
        case secondsSince1970
        /// A number of milliseconds since 1970.
        case millisecondsSince1970
        /// `2026-11-21T05:44:31Z`, without fractions of a second.
        case iso8601
    }

    /// Reads payloads. For a strategy that has no name here set it on both coders.
    public var decoder = CodableJSONDecoder()
    /// Writes payloads.
    public var encoder = CodableJSONEncoder()

    /// A form with a name for its keys and dates.
    public init(keys: Keys = .asDeclared, dates: Dates = .deferredToDate) {
        if keys == .snakeCase {
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            encoder.keyEncodingStrategy = .convertToSnakeCase
        }
        switch dates {
        case .deferredToDate: break
        case .secondsSince1970:
            decoder.dateDecodingStrategy = .secondsSince1970
            encoder.dateEncodingStrategy = .secondsSince1970
        case .millisecondsSince1970:
            decoder.dateDecodingStrategy = .millisecondsSince1970
            encoder.dateEncodingStrategy = .millisecondsSince1970
        case .iso8601:
            decoder.dateDecodingStrategy = .iso8601
            encoder.dateEncodingStrategy = .iso8601
        }
    }
}
