package import WharfCore
internal import WharfPrimitives

/// The place of some bytes in a body whose complete length is known (RFC 9110 §14.4).
package struct ContentRange: Sendable, Hashable {
    /// The positions of the bytes. At least one byte is in it.
    package let bytes: Range<Int64>
    /// The length of the complete body.
    package let length: Int64

    /// Whether these are all bytes of the body.
    package var isWhole: Bool { bytes == 0..<length }

    /// The value of the field `Content-Range`.
    package var fieldValue: String { "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(length)" }

    /// Creates the place of bytes that the body has.
    package init(_ bytes: Range<Int64>, of length: Int64) {
        self.bytes = bytes
        self.length = length
    }

    /// Parses the field `Content-Range`.
    ///
    /// - Returns: nil for another unit, an unknown length, an unsatisfied range, or an invalid
    ///   value. RFC 9110 §14.4: the bytes of an invalid one must not be combined.
    package init?(_ value: String) {
        let parts = FieldList.split(value[...], at: UInt8(ascii: " "), maxSplits: 1)
        // RFC 9110 §14.1: units are compared without case.
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let places = FieldList.split(parts[1], at: UInt8(ascii: "/"))
        guard places.count == 2, let length = Self.number(places[1]) else { return nil }
        let ends = FieldList.split(places[0], at: UInt8(ascii: "-"))
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < length
        else { return nil }
        self.init(first..<last + 1, of: length)
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy(OctetSet.digits.contains) ? Int64(text) : nil
    }
}

extension HTTPResponse {
    /// The place of the content of a partial response (206).
    ///
    /// It is nil for another status, and for several ranges (`multipart/byteranges`). It is nil too
    /// if the length of the content is unknown or contradicts the place: it is then unclear which
    /// bytes these are.
    package var contentRange: ContentRange? {
        guard status.code == 206, let range = headerFields[.contentRange].flatMap(ContentRange.init),
            announcedLength == range.bytes.upperBound - range.bytes.lowerBound,
            // RFC 9110 §14.6: several parts have a Content-Range each, in the content.
            headerFields[.contentType]?.lowercased().hasPrefix("multipart/byteranges") != true
        else { return nil }
        return range
    }

    /// The announced length of the content; nil if the fields give none or contradict each other.
    var announcedLength: Int64? {
        // A 304 has the length of another response's body (RFC 9110 §15.4.5).
        status.code == 304 ? nil : announcedLength(for: .get)
    }

    /// The same response with other bytes of its body. With all of them it is a complete one (200),
    /// as RFC 9110 §15.3.7.3 demands.
    func placed(at range: ContentRange) -> HTTPResponse {
        var response = self
        response.status = range.isWhole ? .ok : .partialContent
        response.headerFields[.contentRange] = range.isWhole ? nil : range.fieldValue
        response.headerFields[.contentLength] = String(range.bytes.upperBound - range.bytes.lowerBound)
        return response
    }
}
