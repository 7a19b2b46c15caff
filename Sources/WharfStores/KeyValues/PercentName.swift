internal import WharfPrimitives

/// Any name as ASCII, for stores whose own names are restricted: data percent-encoded (RFC 3986
/// §2.2).
enum PercentName {
    static func encoded(_ name: String) -> String { PercentEncoding.data(name) }

    /// The name, or nil for a text that no name is encoded as.
    static func decoded(_ text: Substring.UTF8View) -> String? {
        // One name has one text: otherwise lower-case digits would list a name that can't be read
        // by it.
        guard let bytes = try? PercentDecoding.strict(text), let name = String(validating: bytes, as: UTF8.self),
            encoded(name).utf8.elementsEqual(text)
        else { return nil }
        return name
    }
}
