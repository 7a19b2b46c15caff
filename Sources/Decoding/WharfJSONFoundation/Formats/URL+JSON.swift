public import Foundation
public import WharfJSON

/// A string that is a valid URL or relative reference by RFC 3986.
///
/// It must not be empty, and must be percent-encoded already. Nothing is encoded on reading, so
/// writing gives the same text.
extension URL: JSONCodable {
    public static func decode(from json: inout JSONReader) -> URL? {
        json.text(expected: "a URL (RFC 3986), percent-encoded") { text in
            text.isEmpty ? nil : URL(string: String(decoding: text, as: UTF8.self), encodingInvalidCharacters: false)
        }
    }

    /// Writes the absolute URL, even if it was made relative to another.
    public func encode(into json: inout JSONWriter) { json.string(absoluteString) }
}
