public import Foundation
public import WharfJSON

/// A string that is a URL or a relative reference by RFC 3986 as it stands: not empty, and
/// percent-encoded where it must be. Nothing is encoded for it, so that what is written is what was
/// read.
extension URL: JSONCodable {
    public static func decode(from json: inout JSONReader) -> URL? {
        json.text(expected: "a URL (RFC 3986), percent-encoded") { text in
            text.isEmpty ? nil : URL(string: String(decoding: text, as: UTF8.self), encodingInvalidCharacters: false)
        }
    }

    /// The whole of it, also where it was made relative to another.
    public func encode(into json: inout JSONWriter) { json.string(absoluteString) }
}
