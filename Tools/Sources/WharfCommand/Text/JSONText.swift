import Wharf

/// JSON as bytes: checked against RFC 8259 and embedded as it is, so that no number is read and
/// written again.
struct JSONText: Equatable {
    /// One JSON value in one line.
    let bytes: [UInt8]

    /// The text in one line. A byte order mark is dropped.
    ///
    /// - Throws: where `body` is not one JSON text, counted with the mark.
    init(_ body: [UInt8]) throws(JSONError) {
        // It passes one mark over by itself.
        var reader = JSONReader(JSONBytes(body))
        reader.skipValue()
        try reader.finish()
        let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body[3...] : body[...]
        // A raw line break stands between tokens only: inside a string it would have been refused.
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        bytes = text.map { $0 == lineFeed || $0 == carriageReturn ? UInt8(ascii: " ") : $0 }
    }

    /// A string as JSON text.
    static func quoted(_ text: String) -> String { JSONValue(.string(text)).description }
}
