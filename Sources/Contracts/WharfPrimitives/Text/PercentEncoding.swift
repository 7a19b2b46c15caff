/// Percent-encoding of UTF-8 octets (RFC 3986 §2.1).
///
/// ``OctetSet`` has the sets of characters that are not encoded.
package enum PercentEncoding {
    /// Encodes data for a delimited part of a URI (§2.2, §2.3).
    ///
    /// It keeps only `unreserved`, so `+`, `&`, `=`, `;` and `/` in a value never become
    /// delimiters.
    package static func data(_ text: some StringProtocol) -> String { encode(text, keeping: .unreserved) }

    /// Encodes a path that may already have triplets (§3.3), and keeps them.
    ///
    /// The caller must check for an ``InvalidEscape``: its `%` is encoded here.
    package static func path(_ text: some StringProtocol) -> String {
        encode(text, keeping: .path, keepsTriplets: true)
    }

    /// Encodes a query that may already have triplets (§3.4), and keeps them.
    package static func query(_ text: some StringProtocol) -> String {
        encode(text, keeping: .query, keepsTriplets: true)
    }

    /// Encodes all octets of UTF-8 outside of a set, with uppercase digits (§2.1).
    ///
    /// - Parameter keepsTriplets: whether a `%` followed by two hexadecimal digits stays. Otherwise
    ///   encoded text is encoded a second time.
    package static func encode(
        _ text: some StringProtocol, keeping kept: OctetSet, keepsTriplets: Bool = false
    ) -> String {
        let octets = Array(text.utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(octets.count)
        for (index, octet) in octets.enumerated() {
            let startsTriplet =
                keepsTriplets && octet == UInt8(ascii: "%")
                // A lone `%` is encoded, so the result is a valid URI in any case.
                && Hexadecimal.byte(octets[(index + 1)...].prefix(2)) != nil
            if kept.contains(octet) || startsTriplet {
                encoded.append(octet)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(Hexadecimal.digit(octet >> 4, isUppercase: true))
                encoded.append(Hexadecimal.digit(octet & 0xF, isUppercase: true))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
