import Foundation
import WharfJSON

/// A document as UTF-8, converted from any encoding that Foundation's decoder reads.
///
/// Offsets refer to this text, so they differ from the document's if it has another encoding. Lines
/// and columns are the document's.
struct UTF8Text {
    let bytes: JSONBytes
    /// The document's encoding; nil if it is UTF-8 or can't be read.
    let otherEncoding: String?

    init(_ document: JSONBytes) {
        guard let (encoding, mark) = document.withUnsafeBytes(Self.encoding),
            let text = String(bytes: document.array.dropFirst(mark), encoding: encoding)
        else {
            (bytes, otherEncoding) = (document, nil)
            return
        }
        bytes = JSONBytes(text)
        let isWide = encoding == .utf32BigEndian || encoding == .utf32LittleEndian
        otherEncoding = isWide ? "UTF-32" : "UTF-16"
    }

    /// Detects the encoding from the byte order mark, or else from the position of zero bytes.
    ///
    /// A JSON text begins with ASCII characters (RFC 4627 §3).
    ///
    /// - Returns: the encoding and the length of the mark; nil for UTF-8.
    private static func encoding(of bytes: UnsafeRawBufferPointer) -> (String.Encoding, mark: Int)? {
        if bytes.starts(with: [0x00, 0x00, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        // The mark of little-endian UTF-32 begins alike. Foundation takes it for UTF-16, and then
        // finds no JSON.
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        // The first characters are ASCII, so the zero bytes show the width and the order.
        let zeros = bytes.prefix(4).map { $0 == 0 }
        return switch zeros {
        case [true, true, true, false]: (.utf32BigEndian, 0)
        case [false, true, true, true]: (.utf32LittleEndian, 0)
        case [true, false, true, false], [true, false]: (.utf16BigEndian, 0)
        case [false, true, false, true], [false, true]: (.utf16LittleEndian, 0)
        default: nil
        }
    }
}
