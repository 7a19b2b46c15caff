/// A `%` in a URL without two hexadecimal digits behind it (RFC 3986 §2.1).
///
/// Encoding it as `%25` would ask for another resource wherever the missing digits are a mistake,
/// so callers refuse it.
package struct InvalidEscape: Hashable, Sendable {
    /// The place of the `%`, counted in characters from the beginning of the text; 1 for the first.
    package let place: Int
    /// The text up to its query, whose values may be secrets.
    private let shown: String
    private let isInQuery: Bool

    /// The first invalid escape of a text, or nil for a text without one.
    ///
    /// - Parameters:
    ///   - text: a URL, a path or a part of one.
    ///   - before: the encoded text that stands before `text`.
    package init?(in text: some StringProtocol, after before: String = "") {
        let octets = text.utf8
        var index = octets.startIndex
        while let percent = octets[index...].firstIndex(of: UInt8(ascii: "%")) {
            index = octets.index(after: percent)
            guard Hexadecimal.byte(octets[index...].prefix(2)) != nil else {
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
