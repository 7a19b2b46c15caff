public import WharfJSON
internal import WharfJSONFoundation

/// The keys and dates of `Codable` payloads in JSON, for reading and writing.
///
/// Pass it along with the payload's type:
///
/// ```swift
/// let form = CodableJSON(keys: .snakeCase, dates: .iso8601)
/// let notes = stack.repository(.notes, at: "notes", json: form)
/// ```
public struct CodableJSON: Sendable {
    /// The names of the JSON members.
    public enum Keys: Hashable, Sendable {
        /// The names of the payload's coding keys.
        case asDeclared
        /// Snake case: `dueDate` is `due_date`.
        case snakeCase
    }

    /// The form of each `Date`.
    public enum Dates: Hashable, Sendable {
        /// Seconds since 2001, as `Date` encodes itself.
        case deferredToDate
        /// A number of seconds since 1970.
        case secondsSince1970
        /// A number of milliseconds since 1970.
        case millisecondsSince1970
        /// `2026-11-21T05:44:31Z`, without fractions of a second.
        case iso8601
    }

    /// The decoder of payloads. Set a strategy that has no name here on both coders.
    public var decoder = CodableJSONDecoder()
    /// The encoder of payloads.
    public var encoder = CodableJSONEncoder()

    /// Creates a form with the given strategies for keys and dates.
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
