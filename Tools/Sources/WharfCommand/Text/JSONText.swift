import Wharf

/// JSON as bytes: checked against RFC 8259 and embedded as it is, so that no number is read and written again.
struct JSONText: Equatable {
    /// One JSON value in one line.
    let bytes: [UInt8]

    /// The text in one line. A byte order mark is dropped.
    ///
    /// - Throws: where `body` is not one JSON text, counted without the mark.
    init(_ body: [UInt8]) throws(JSONError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = body.starts(with: mark) ? Array(body.dropFirst(3)) : body
        var reader = JSONReader(JSONBytes(text))
        reader.skipValue()
        try reader.finish()
        // A raw line break stands between tokens only: inside a string it would have been refused.
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        bytes = text.map { $0 == lineFeed || $0 == carriageReturn ? UInt8(ascii: " ") : $0 }
    }

    /// A string as JSON text.
    static func quoted(_ text: String) -> String { JSONValue(.string(text)).description }
}
