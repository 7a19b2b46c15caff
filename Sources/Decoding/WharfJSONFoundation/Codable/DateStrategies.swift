public import Foundation
public import WharfJSON

extension CodableJSONDecoder {
    /// The formats in which dates are read.
    ///
    /// They are those of Foundation's `JSONDecoder.DateDecodingStrategy`.
    public enum DateDecodingStrategy: Sendable {
        /// The format of `Date`'s own `init(from:)`: seconds since 2001.
        case deferredToDate
        /// A number of seconds since 1970 in UTC.
        case secondsSince1970
        /// A number of milliseconds since 1970 in UTC.
        case millisecondsSince1970
        /// `2026-11-21T05:44:31Z`, without fractions of a second.
        case iso8601
        /// A string in the format of the formatter.
        case formatted(DateFormatter)
        /// A closure of your own.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// The format of dates; ``DateDecodingStrategy/deferredToDate`` by default.
    public var dateDecodingStrategy: DateDecodingStrategy {
        get { settings[DateDecodingStrategy.self] ?? .deferredToDate }
        set { settings[DateDecodingStrategy.self] = newValue }
    }
}

extension Date: CodableRouted {
    package static func route(in decoder: CodableJSONDecoder) -> CodableRoute? {
        let strategy = decoder.dateDecodingStrategy
        return CodableRouteOf<Date> { decoder in
            try decoder.requireValue(Date.self)
            switch strategy {
            case .deferredToDate: return try Date(from: decoder)
            case .secondsSince1970: return Date(timeIntervalSince1970: try decoder.decode(Double.self))
            case .millisecondsSince1970: return Date(timeIntervalSince1970: try decoder.decode(Double.self) / 1000)
            case .iso8601:
                let text = try decoder.decode(String.self)
                do {
                    return try Date.ISO8601FormatStyle().parse(text)
                } catch {
                    throw decoder.corrupted(
                        "Expected date string to be ISO8601-formatted.", expected: "an ISO 8601 date")
                }
            case .formatted(let formatter):
                guard let date = formatter.date(from: try decoder.decode(String.self)) else {
                    throw decoder.corrupted(
                        "Date string does not match format expected by formatter.",
                        expected: "a date in the form of \(formatter.dateFormat ?? "the formatter")")
                }
                return date
            case .custom(let read): return try read(decoder)
            }
        }
    }
}

extension CodableJSONEncoder {
    /// The formats in which dates are written.
    ///
    /// They are those of Foundation's `JSONEncoder.DateEncodingStrategy`.
    public enum DateEncodingStrategy: Sendable {
        /// The format of `Date`'s own `encode(to:)`: seconds since 2001.
        case deferredToDate
        /// A number of seconds since 1970 in UTC.
        case secondsSince1970
        /// A number of milliseconds since 1970 in UTC.
        case millisecondsSince1970
        /// `2026-11-21T05:44:31Z`, without fractions of a second.
        case iso8601
        /// A string in the format of the formatter.
        case formatted(DateFormatter)
        /// A closure of your own. If it encodes nothing, the result is an empty object.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// The format of dates; ``DateEncodingStrategy/deferredToDate`` by default.
    public var dateEncodingStrategy: DateEncodingStrategy {
        get { settings[DateEncodingStrategy.self] ?? .deferredToDate }
        set { settings[DateEncodingStrategy.self] = newValue }
    }
}

extension Date: CodableEncodingRouted {
    package static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute? {
        let strategy = encoder.dateEncodingStrategy
        return CodableEncodingRouteOf<Date> { date, encoder in
            switch strategy {
            case .deferredToDate: try date.encode(to: encoder)
            case .secondsSince1970: try encoder.encode(finite: date.timeIntervalSince1970)
            case .millisecondsSince1970: try encoder.encode(finite: 1000 * date.timeIntervalSince1970)
            case .iso8601: encoder.encode(date.formatted(.iso8601))
            case .formatted(let formatter): encoder.encode(formatter.string(from: date))
            case .custom(let write): try write(date, encoder)
            }
        }
    }
}
