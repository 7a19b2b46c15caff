/// Percent-encoding of UTF-8 octets by the sets of RFC 3986.
package enum PercentEncoding {
    /// Data inside a delimited part: everything but `unreserved` is encoded, as §2.2 asks where a reserved character is meant
    /// literally. So `+`, `&`, `=`, `;` and `/` in a value never become delimiters.
    package static func data(_ text: String) -> String {
        encode(text.utf8, keepingTriplets: false) { isUnreserved($0) }
    }

    /// A path as it was written: `pchar` and `/` stay, triplets stay, everything else is encoded (§3.3).
    ///
    /// An ``InvalidEscape`` is the caller's to find: here its `%` is encoded.
    package static func path(_ text: String) -> String {
        encode(text.utf8, keepingTriplets: true) { isPathCharacter($0) || $0 == UInt8(ascii: "/") }
    }

    /// A query as someone wrote it: `pchar`, `/` and `?` stay, triplets stay, everything else is encoded (§3.4).
    package static func query(_ text: String) -> String {
        encode(text.utf8, keepingTriplets: true) {
            isPathCharacter($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?")
        }
    }

    private static func encode(
        _ octets: String.UTF8View, keepingTriplets: Bool, where isKept: (UInt8) -> Bool
    ) -> String {
        let octets = Array(octets)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(octets.count)
        for (index, octet) in octets.enumerated() {
            let startsTriplet =
                keepingTriplets && octet == UInt8(ascii: "%") && index + 2 < octets.count
                && isHexDigit(octets[index + 1]) && isHexDigit(octets[index + 2])
            if isKept(octet) || startsTriplet {
                encoded.append(octet)
            } else {
                encoded += [UInt8(ascii: "%"), hexDigits[Int(octet >> 4)], hexDigits[Int(octet & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    package static func isHexDigit(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// ALPHA / DIGIT / "-" / "." / "_" / "~" (§2.3).
    package static func isUnreserved(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// `pchar` without its triplets: unreserved / sub-delims / ":" / "@" (§3.3).
    private static func isPathCharacter(_ octet: UInt8) -> Bool {
        isUnreserved(octet) || "!$&'()*+,;=:@".utf8.contains(octet)
    }
}
