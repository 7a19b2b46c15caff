import Foundation
import WharfJSON

/// A document in UTF-8, whichever of its encodings Foundation's decoder has read.
///
/// Places in it are those of this text: lines and columns are the document's, offsets are not where
/// that is in another encoding.
struct UTF8Text {
    let bytes: JSONBytes
    /// What it was in; nil where that is UTF-8, or could not be read.
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

    /// By the byte order mark, or by where the zeros are in what must begin with ASCII (RFC 4627
    /// §3).
    ///
    /// - Returns: nil for UTF-8; besides, the length of the mark.
    private static func encoding(of bytes: UnsafeRawBufferPointer) -> (String.Encoding, mark: Int)? {
        if bytes.starts(with: [0x00, 0x00, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        // That of UTF-32 begins alike, and is taken for this by Foundation, which then finds no
        // JSON.
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
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
