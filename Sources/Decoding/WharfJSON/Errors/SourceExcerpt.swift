/// The part of a line around a place, at most 72 characters.
public struct SourceExcerpt: Sendable, Hashable {
    static let width = 72
    private static let before = 36

    /// The part of the line. Control characters appear as blanks.
    public let text: String
    /// The number of characters of ``text`` before the place.
    public let caret: Int

    /// Creates an excerpt; an empty one if the place is in no text.
    public init(_ text: String = "", caret: Int = 0) {
        self.text = text
        self.caret = caret
    }

    /// - Parameters:
    ///   - lineStart: the offset at which the line of `offset` begins.
    ///   - offset: at most `bytes.count`.
    init(_ bytes: UnsafeRawBufferPointer, lineStart: Int, offset: Int) {
        var from = offset
        var steps = 0
        // At most 36 scalars before the place. The limit in bytes ends the loop in a run of
        // continuation bytes.
        while from > lineStart, steps < Self.before, offset - from < 4 * Self.before {
            from -= 1
            if bytes[from] & 0xC0 != 0x80 { steps += 1 }
        }
        // No scalar takes more than four bytes. The bytes after the place need not be UTF-8;
        // decoding cuts them.
        let limit = min(bytes.count, offset + 4 * Self.width)
        var to = offset
        while to < limit, bytes[to] != 0x0A { to += 1 }
        // A line that ends with CR LF is shown without its CR.
        if to > offset, to < bytes.count, bytes[to] == 0x0A, bytes[to - 1] == 0x0D { to -= 1 }
        var scalars = Self.shown(bytes[from..<offset])
        let caret = scalars.count
        scalars.append(contentsOf: Self.shown(bytes[offset..<to]).prefix(Self.width - caret))
        text = String(scalars)
        self.caret = caret
    }

    private static func shown(_ bytes: Slice<UnsafeRawBufferPointer>) -> String.UnicodeScalarView {
        var scalars = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            // Tabs and other controls become blanks, one for one, so that the caret stays below its
            // column.
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return scalars
    }
}
