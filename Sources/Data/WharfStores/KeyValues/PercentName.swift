internal import WharfPrimitives

/// Names as ASCII text, for stores that restrict their names.
///
/// A name is data, percent-encoded (RFC 3986 §2.2).
enum PercentName {
    static func encoded(_ name: String) -> String { PercentEncoding.data(name) }

    /// The decoded name; nil for a text that is no name's encoding.
    static func decoded(_ text: Substring.UTF8View) -> String? {
        // Each name has one encoding. A text with lower-case digits would list a name that no read
        // finds.
        guard let bytes = try? PercentDecoding.strict(text), let name = String(validating: bytes, as: UTF8.self),
            encoded(name).utf8.elementsEqual(text)
        else { return nil }
        return name
    }
}
