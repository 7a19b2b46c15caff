/// A set of octets: a table of 256 bits.
///
/// The test for membership is one shift, independent of the size of the set.
///
/// ```swift
/// let label = OctetSet.alphanumerics.union("-")
/// label.contains(UInt8(ascii: "a"))                                // true
/// ```
package struct OctetSet: Sendable, Hashable {
    /// Bit `n` of word `w` stands for the octet `64 * w + n`.
    @usableFromInline var words = SIMD4<UInt64>()

    package init(_ octets: some Sequence<UInt8>) {
        for octet in octets { words[Int(octet >> 6)] |= 1 << UInt64(octet & 63) }
    }

    @inlinable package func contains(_ octet: UInt8) -> Bool {
        // The upper two bits choose the word, the lower six the bit.
        words[Int(octet >> 6)] >> UInt64(octet & 63) & 1 == 1
    }

    package func union(_ other: OctetSet) -> OctetSet {
        var union = self
        union.words |= other.words
        return union
    }

    package func subtracting(_ other: OctetSet) -> OctetSet {
        var rest = self
        rest.words &= ~other.words
        return rest
    }

    /// All octets that are not in this set.
    package var complement: OctetSet {
        var complement = self
        complement.words = ~words
        return complement
    }
}

extension OctetSet: ExpressibleByStringLiteral {
    /// The octets of the literal's UTF-8.
    package init(stringLiteral text: String) { self.init(text.utf8) }
}

// MARK: Digits and letters (RFC 5234 §B.1)

extension OctetSet {
    package static let digits = OctetSet(UInt8(ascii: "0")...UInt8(ascii: "9"))
    package static let letters = OctetSet(UInt8(ascii: "a")...UInt8(ascii: "z"))
        .union(OctetSet(UInt8(ascii: "A")...UInt8(ascii: "Z")))
    package static let alphanumerics = letters.union(digits)
    /// Digits in either case, as RFC 3986 §2.1 allows.
    package static let hexDigits = digits.union("abcdefABCDEF")
}

// MARK: Characters of a URI (RFC 3986)

extension OctetSet {
    /// `unreserved` (§2.3): no special meaning in any part of a URI.
    package static let unreserved = alphanumerics.union("-._~")
    /// `sub-delims` (§2.2): delimiters within a part.
    package static let subDelimiters: OctetSet = "!$&'()*+,;="
    /// `gen-delims` (§2.2): delimiters between parts.
    package static let generalDelimiters: OctetSet = ":/?#[]@"
    /// All characters of a URI reference except `%`, which begins a triplet (§2).
    package static let uri = unreserved.union(subDelimiters).union(generalDelimiters)
    /// The characters of `scheme` after its first letter (§3.1).
    package static let scheme = alphanumerics.union("+-.")
    /// A host name without triplets (`reg-name` of §3.2.2).
    ///
    /// Registries and resolvers accept these characters.
    package static let hostName = alphanumerics.union("-._")
    /// The characters of an IPv6 address between brackets, without its zone (§3.2.2).
    package static let ipv6Address = hexDigits.union(":.")
    /// `pchar` without its triplets (§3.3): a segment of a path.
    package static let pathSegment = unreserved.union(subDelimiters).union(":@")
    /// A path: segments and `/` (§3.3).
    package static let path = pathSegment.union("/")
    /// `query` and `fragment` without their triplets (§3.4, §3.5).
    package static let query = path.union("?")
}

// MARK: HTTP

extension OctetSet {
    /// `tchar`: the characters of a token, such as a field name (RFC 9110 §5.6.2).
    package static let token = alphanumerics.union("!#$%&'*+-.^_`|~")
}
