import Wharf
import WharfJSON

/// JSON that is checked against RFC 8259 and embedded unchanged.
///
/// Numbers are not decoded and encoded again.
struct JSONText: Equatable {
    /// One JSON value in one line.
    let bytes: [UInt8]

    /// Creates the text in one line, without a byte order mark.
    ///
    /// - Throws: ``JSONError`` if `body` is not one JSON text. Its offsets include the mark.
    init(_ body: [UInt8]) throws(JSONError) {
        // The reader skips one mark itself.
        var reader = JSONReader(JSONBytes(body))
        reader.skipValue()
        try reader.finish()
        let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body[3...] : body[...]
        // A raw line break is always between tokens, as the reader refuses one in a string.
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        bytes = text.map { $0 == lineFeed || $0 == carriageReturn ? UInt8(ascii: " ") : $0 }
    }

    /// A string as JSON text.
    static func quoted(_ text: String) -> String { JSONValue(.string(text)).description }
}
