/// Percent-encoding of UTF-8 octets (RFC 3986 §2.1).
///
/// ``OctetSet`` has the sets of characters that stay as they are.
package enum PercentEncoding {
    /// Encodes data that goes into a delimited part of a URI (§2.2, §2.3).
    ///
    /// Only `unreserved` stays, so `+`, `&`, `=`, `;` and `/` in a value never become delimiters.
    package static func data(_ text: some StringProtocol) -> String { encode(text, keeping: .unreserved) }

    /// Encodes a path as it was written (§3.3): its triplets stay.
    ///
    /// The caller looks for an ``InvalidEscape``: the `%` of one is encoded here.
    package static func path(_ text: some StringProtocol) -> String {
        encode(text, keeping: .path, keepsTriplets: true)
    }

    /// Encodes a query as it was written (§3.4): its triplets stay.
    package static func query(_ text: some StringProtocol) -> String {
        encode(text, keeping: .query, keepsTriplets: true)
    }

    /// Encodes all octets of UTF-8 that are not in the set, with uppercase digits (§2.1).
    ///
    /// - Parameter keepsTriplets: whether `%` with two hexadecimal digits behind it stays. Without
    ///   it what is encoded already would be encoded twice.
    package static func encode(
        _ text: some StringProtocol, keeping kept: OctetSet, keepsTriplets: Bool = false
    ) -> String {
        let octets = Array(text.utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(octets.count)
        for (index, octet) in octets.enumerated() {
            let startsTriplet =
                keepsTriplets && octet == UInt8(ascii: "%")
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
