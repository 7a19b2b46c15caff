public import Foundation
public import WharfJSON

/// A date is coded as ``ISO8601``, unless a field names another format.
extension Date: JSONCodable {
    public static func decode(from json: inout JSONReader) -> Date? { ISO8601.decode(from: &json) }
    public func encode(into json: inout JSONWriter) { ISO8601.encode(self, into: &json) }
}

/// A date as text by RFC 3339, the profile of ISO 8601 that services use.
///
/// An example is `2026-11-21T06:30:00.125+01:00`.
///
/// - Seconds and an offset are required. The offset is `Z` or `±hh:mm`, or one of the forms `±hhmm`
///   and `±hh` of ISO 8601. `t` and `z` may be lowercase.
/// - A fraction of a second may have any number of digits. A `Date` counts seconds in a `Double`,
///   so today it keeps a precision of about a ten-millionth of a second.
/// - The day must exist in the calendar: 29 February only in leap years. The years are 0000 to
///   9999, in UTC too. Before 1582 the calendar is the proleptic Gregorian one.
/// - The second 60 is accepted at the end of a month in UTC, where leap seconds are. `Date` has no
///   leap seconds, so it becomes the moment after.
///
/// Dates are written in UTC with a fraction of 0, 3, 6 or 9 digits: the fewest that read back as
/// the same date. Within half a year of 2001 a `Date` may be more precise; it is then written to
/// the nanosecond.
public enum ISO8601: JSONFormat {
    public static func decode(from json: inout JSONReader) -> Date? {
        json.text(expected: "an RFC 3339 date, such as \"2026-11-21T06:30:00Z\"") { ISO8601Text.date($0) }
    }

    public static func encode(_ value: Date, into json: inout JSONWriter) {
        guard let text = ISO8601Text.bytes(value) else {
            return json.invalid(expected: "a date in the years 0000 to 9999, as RFC 3339 can't express others")
        }
        json.raw([0x22] + text + [0x22])
    }
}
