public import Foundation
public import WharfJSON

/// A date as seconds since 1970 in UTC, with a fraction or without: `1795242600.5`. Leap seconds
/// are not counted.
public enum SecondsSince1970: JSONFormat {
    public static func decode(from json: inout JSONReader) -> Date? {
        json.double().map { Date(timeIntervalSince1970: $0) }
    }

    public static func encode(_ value: Date, into json: inout JSONWriter) {
        json.double(value.timeIntervalSince1970)
    }
}

/// A date as milliseconds since 1970 in UTC, as JavaScript's `Date.now()` gives them:
/// `1795242600500`. A fraction is read too, and written only where the date needs it to be read
/// back as the same.
public enum MillisecondsSince1970: JSONFormat {
    public static func decode(from json: inout JSONReader) -> Date? {
        json.double().map { Date(timeIntervalSince1970: $0 / 1000) }
    }

    public static func encode(_ value: Date, into json: inout JSONWriter) {
        let exact = value.timeIntervalSince1970 * 1000
        // Binary seconds times 1000 are nearly never whole, also where whole milliseconds were
        // read.
        let whole = exact.rounded()
        json.double(Date(timeIntervalSince1970: whole / 1000) == value ? whole : exact)
    }
}
