public import Foundation
public import WharfJSON

/// A date as seconds since 1970 in UTC, with or without a fraction: `1795242600.5`.
///
/// Leap seconds are not counted.
public enum SecondsSince1970: JSONFormat {
    public static func decode(from json: inout JSONReader) -> Date? {
        json.double().map { Date(timeIntervalSince1970: $0) }
    }

    public static func encode(_ value: Date, into json: inout JSONWriter) {
        json.double(value.timeIntervalSince1970)
    }
}

/// A date as milliseconds since 1970 in UTC, as from JavaScript's `Date.now()`.
///
/// An example is `1795242600500`. A fraction is read too. It is written only if the date would not
/// read back as the same without it.
public enum MillisecondsSince1970: JSONFormat {
    public static func decode(from json: inout JSONReader) -> Date? {
        json.double().map { Date(timeIntervalSince1970: $0 / 1000) }
    }

    public static func encode(_ value: Date, into json: inout JSONWriter) {
        let exact = value.timeIntervalSince1970 * 1000
        // Binary seconds times 1000 are rarely whole, even if whole milliseconds were read.
        let whole = exact.rounded()
        json.double(Date(timeIntervalSince1970: whole / 1000) == value ? whole : exact)
    }
}
