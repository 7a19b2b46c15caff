internal import WharfCore
internal import WharfPrimitives

/// The unread rest of a URL, with its position in the whole text.
struct LinkText {
    private let bytes: [UInt8]
    private var range: Range<Int>

    init(_ text: String) {
        bytes = Array(text.utf8)
        range = 0..<bytes.count
    }

    var isEmpty: Bool { range.isEmpty }

    func refuseSpaces() throws(RoutingError) {
        guard let place = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) else { return }
        throw RoutingError(
            .malformedLink,
            message: "expected a URL without spaces and control characters, found one at byte \(place); "
                + "percent-encode values from outside, once", offset: place)
    }

    /// Reads the scheme (RFC 3986 §3.1) and its colon.
    ///
    /// A scheme is a letter, followed by letters, digits, `+`, `-` and `.`.
    mutating func takeScheme() throws(RoutingError) -> String {
        let scheme = take(until: ":", "/", "?", "#")
        let isScheme = scheme.bytes[scheme.range].allSatisfy(OctetSet.scheme.contains)
        guard isScheme, scheme.first.map(OctetSet.letters.contains) == true, takeIf(":") else {
            throw RoutingError(
                .malformedLink,
                message: "expected an absolute URL such as https://example.com/film/42, found no scheme at its start; "
                    + "put the scheme and the host before a path", offset: scheme.start)
        }
        return scheme.string.lowercased()
    }

    /// Reads the authority (RFC 3986 §3.2).
    ///
    /// That is the text between `//` and the next `/`, `?` or `#`.
    ///
    /// Returns nil if there is no `//`.
    mutating func takeAuthority() -> LinkText? {
        guard bytes[range].starts(with: "//".utf8) else { return nil }
        range = range.dropFirst(2)
        return take(until: "/", "?", "#")
    }

    /// Reads the text before the first of these characters, or the whole rest.
    mutating func take(until ends: Unicode.Scalar...) -> LinkText {
        let end = bytes[range].firstIndex { byte in ends.contains { $0.value == UInt32(byte) } } ?? range.upperBound
        defer { range = end..<range.upperBound }
        return part(range.lowerBound..<end)
    }

    mutating func takeIf(_ scalar: Unicode.Scalar) -> Bool {
        guard let first, UInt32(first) == scalar.value else { return false }
        range = range.dropFirst()
        return true
    }

    func split(_ separator: Unicode.Scalar) -> [LinkText] {
        bytes[range].split(omittingEmptySubsequences: false) { UInt32($0) == separator.value }
            .map { part($0.startIndex..<$0.endIndex) }
    }

    /// Returns the text with its escapes decoded as UTF-8 (RFC 3986 §2.1).
    ///
    /// - Parameter plusIsSpace: decodes `+` as a space, as in queries, which forms encode that way.
    func decoded(plusIsSpace: Bool = false) throws(RoutingError) -> String {
        let decoded: [UInt8]
        do {
            decoded = try PercentDecoding.strict(bytes[range], plusIsSpace: plusIsSpace)
        } catch {
            throw malformedEscape(at: range.lowerBound + error.offset)
        }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw RoutingError(
                .malformedEscape,
                message: "expected escapes of UTF-8 in the \(range.count) bytes from byte \(range.lowerBound) on, "
                    + "found others; encode the text as UTF-8", offset: range.lowerBound)
        }
        return text
    }

    private func malformedEscape(at place: Int) -> RoutingError {
        let digits = bytes[place..<range.upperBound].dropFirst().prefix(2)
        return RoutingError(
            .malformedEscape,
            message: "expected two hexadecimal digits after the % at byte \(place), "
                + "found \"\(String(decoding: digits, as: UTF8.self))\"; write a literal % as %25", offset: place)
    }

    var string: String { String(decoding: bytes[range], as: UTF8.self) }
    var start: Int { range.lowerBound }
    private var first: UInt8? { range.isEmpty ? nil : bytes[range.lowerBound] }

    private func part(_ range: Range<Int>) -> LinkText {
        var part = self
        part.range = range
        return part
    }
}
