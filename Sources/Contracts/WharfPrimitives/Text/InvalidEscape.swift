/// A `%` in a URL that is not followed by two hexadecimal digits (RFC 3986 §2.1).
///
/// Callers refuse it. Encoding it as `%25` would request another resource if the missing digits are
/// a mistake.
package struct InvalidEscape: Hashable, Sendable {
    /// The position of the `%` in characters; 1 for the first character.
    package let place: Int
    /// The text before its query. The values of a query may be secrets.
    private let shown: String
    private let isInQuery: Bool

    /// Finds the first invalid escape of a text; nil if there is none.
    ///
    /// - Parameters:
    ///   - text: a URL, a path or a part of one.
    ///   - before: the encoded text before `text`.
    package init?(in text: some StringProtocol, after before: String = "") {
        let octets = text.utf8
        var index = octets.startIndex
        while let percent = octets[index...].firstIndex(of: UInt8(ascii: "%")) {
            index = octets.index(after: percent)
            guard Hexadecimal.byte(octets[index...].prefix(2)) != nil else {
                place = before.count + text[..<percent].count + 1
                // A message may be logged, so it stops before the query.
                let beginning = text.prefix { $0 != "?" && $0 != "#" }
                shown = before + beginning
                isInQuery = percent >= beginning.endIndex
                return
            }
        }
        return nil
    }

    package var message: String {
        "expected two hexadecimal digits after % at character \(place)\(isInQuery ? ", in the query after" : " of") "
            + "\"\(shown)\", found other characters; write %25 for a percent sign"
    }
}
