/// A `%` without two hexadecimal digits behind it (RFC 3986 §2.1), which is no part of a URL.
///
/// To encode it as `%25` would ask for another resource than the one that was written, wherever the two
/// missing digits are a mistake. So it is refused.
package struct InvalidEscape: Hashable, Sendable {
    /// The `%`, counted in characters from the beginning of the text; 1 for the first.
    package let place: Int
    /// The text up to its query, whose values may be secrets.
    private let shown: String
    private let isInQuery: Bool

    /// The first one of a text; nil for a text without one.
    ///
    /// - Parameters:
    ///   - text: a URL, a path or a part of one.
    ///   - before: what stands before `text` and is encoded already.
    package init?(in text: some StringProtocol, after before: String = "") {
        let octets = text.utf8
        var index = octets.startIndex
        while let percent = octets[index...].firstIndex(of: UInt8(ascii: "%")) {
            index = octets.index(after: percent)
            let digits = octets[index...].prefix(2)
            guard digits.count == 2, digits.allSatisfy(PercentEncoding.isHexDigit) else {
                place = before.count + text[..<percent].count + 1
                let beginning = text.prefix { $0 != "?" && $0 != "#" }
                shown = before + beginning
                isInQuery = percent >= beginning.endIndex
                return
            }
        }
        return nil
    }

    package var message: String {
        "expected two hexadecimal digits behind % at character \(place)\(isInQuery ? ", in the query behind" : " of") "
            + "\"\(shown)\", found other characters; write %25 for a percent sign"
    }
}

extension HTTPRequest {
    /// Refuses a target with a `%` that begins no percent-encoded octet.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``.
    package func checkEscapes() throws(TransportError) {
        guard let path, let escape = InvalidEscape(in: path) else { return }
        throw TransportError(.invalidRequest, message: escape.message)
    }
}
