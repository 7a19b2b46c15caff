public import Foundation
public import WharfJSON

/// A date as ``ISO8601``, unless a field says another form.
extension Date: JSONCodable {
    public static func decode(from json: inout JSONReader) -> Date? { ISO8601.decode(from: &json) }
    public func encode(into json: inout JSONWriter) { ISO8601.encode(self, into: &json) }
}

/// A date as text by RFC 3339, the profile of ISO 8601 that services use:
/// `2026-11-21T06:30:00.125+01:00`.
///
/// - Seconds must be there, and an offset: `Z` or `±hh:mm`; also `±hhmm` and `±hh`, which ISO 8601
///   has. `t` and `z` may be small.
/// - A fraction of a second may have any number of digits. A `Date` counts seconds in a `Double`,
///   so about a ten-millionth of a second is what is left of it today.
/// - The day must be one of the calendar: 29 February in leap years only. Years are 0000 to 9999,
///   in UTC too, before 1582 reckoned back.
/// - A second 60 may stand where leap seconds are: at the end of a month in UTC. `Date` has none,
///   so it is the moment after it.
///
/// Written is UTC with none, 3, 6 or 9 digits of a fraction: the fewest that read back as the same
/// date. Within half a year of 2001 a `Date` may hold more than that; then it is written to the
/// nanosecond.
public enum ISO8601: JSONFormat {
    public static func decode(from json: inout JSONReader) -> Date? {
        json.text(expected: "an RFC 3339 date, such as \"2026-11-21T06:30:00Z\"") { ISO8601Text.date($0) }
    }

    public static func encode(_ value: Date, into json: inout JSONWriter) {
        guard let text = ISO8601Text.bytes(value) else {
            return json.invalid(expected: "a date in the years 0000 to 9999, as RFC 3339 has no form for others")
        }
        json.raw([0x22] + text + [0x22])
    }
}
