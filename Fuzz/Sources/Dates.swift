import WharfCache
import WharfCore
import WharfPrimitives
import WharfStorage

/// Reads an HTTP-date. It survives a round trip, without regard to case, and is strict at its end.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzDates(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let value = text(start, count)
    for name in [HTTPField.Name.date, .expires, .lastModified] {
        let head = head(name, value)
        let freshness = CachePolicy(.privateClient).facts(head).freshness(at: head.respondedAt)
        check(freshness.freshnessLifetime >= .zero && freshness.currentAge >= .zero, "\(name): \(freshness)")
    }
    guard let seconds = HTTPDate.secondsSince1970(value) else { return 0 }
    let printed = HTTPDate.text(secondsSince1970: seconds)
    check(HTTPDate.secondsSince1970(printed) == seconds, "\(value) is printed as \(printed)")
    check(printed.utf8.count == 29 && printed.hasSuffix(" GMT"), printed)
    // RFC 9111 §4.2: case does not matter in a date.
    check(HTTPDate.secondsSince1970(value.lowercased()) == seconds, "another date in lower case")
    check(HTTPDate.secondsSince1970(value.uppercased()) == seconds, "another date in upper case")
    check(HTTPDate.secondsSince1970(value + "0") == nil, "a digit after \(value)")
    check(HTTPDate.secondsSince1970(" " + value) == nil, "a space before \(value)")
    return 0
}
