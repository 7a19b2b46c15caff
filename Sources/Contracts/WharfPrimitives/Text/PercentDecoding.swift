/// Decoding of percent-encoded text (RFC 3986 §2.1).
package enum PercentDecoding {
    /// Decodes a query or a form, where `+` is a space.
    ///
    /// This is the form "application/x-www-form-urlencoded" of HTML. It is lenient: a `%` without
    /// two digits stays, and octets that are not UTF-8 are replaced.
    package static func form(_ text: some StringProtocol) -> String {
        lenient(Array(text.utf8)[...], plusIsSpace: true)
    }

    /// Decodes a path, where `+` is not a space. It is lenient like ``form(_:)``.
    package static func path(_ text: some StringProtocol) -> String {
        lenient(Array(text.utf8)[...], plusIsSpace: false)
    }

    /// Returns the items of a query or a form in order. A lone name has an empty value.
    package static func items(_ query: some StringProtocol) -> [(name: String, value: String)] {
        // Split octets: a combining mark after `&` or `=` would make another `Character` of it.
        Array(query.utf8).split(separator: UInt8(ascii: "&")).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (
                lenient(parts[0], plusIsSpace: true), parts.count > 1 ? lenient(parts[1], plusIsSpace: true) : ""
            )
        }
    }

    /// A `%` that is not followed by two hexadecimal digits.
    package struct Malformed: Error, Hashable {
        /// The offset of the `%` in octets.
        package let offset: Int
    }

    /// Decodes all octets, or throws for the first `%` that begins no triplet.
    ///
    /// The result may not be UTF-8; check it with `String(validating:as:)`.
    package static func strict(
        _ octets: some Sequence<UInt8>, plusIsSpace: Bool = false
    ) throws(Malformed) -> [UInt8] {
        try decode(Array(octets)[...], plusIsSpace: plusIsSpace) { offset throws(Malformed) in
            throw Malformed(offset: offset)
        }
    }

    private static func lenient(_ octets: ArraySlice<UInt8>, plusIsSpace: Bool) -> String {
        String(decoding: decode(octets, plusIsSpace: plusIsSpace) { _ in }, as: UTF8.self)
    }

    /// Decodes octets.
    ///
    /// - Parameter refuse: is called with the offset of each `%` that begins no triplet. If it
    ///   returns, the `%` stays.
    private static func decode<Failure: Error>(
        _ octets: ArraySlice<UInt8>, plusIsSpace: Bool, refuse: (Int) throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(octets.count)
        var rest = octets
        while let octet = rest.popFirst() {
            switch octet {
            case UInt8(ascii: "%"):
                // Accept digits only: `UInt8(_:radix:)` also accepts a sign, and made the octet 5
                // of "%+5".
                if let byte = Hexadecimal.byte(rest.prefix(2)) {
                    decoded.append(byte)
                    rest = rest.dropFirst(2)
                } else {
                    // A slice keeps the indices of its array, so the difference is the offset from
                    // the first octet.
                    try refuse(rest.startIndex - 1 - octets.startIndex)
                    decoded.append(octet)
                }
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
            default: decoded.append(octet)
            }
        }
        return decoded
    }
}
