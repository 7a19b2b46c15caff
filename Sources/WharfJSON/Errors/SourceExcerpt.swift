/// A window on the line around a place.
struct SourceExcerpt {
    static let width = 72
    private static let before = 36

    let text: String
    let caret: Int

    /// - Parameters:
    ///   - lineStart: where the line of `offset` begins.
    ///   - offset: not beyond `bytes.count`.
    init(_ bytes: UnsafeRawBufferPointer, lineStart: Int, offset: Int) {
        var from = offset
        var caret = 0
        while from > lineStart, caret < Self.before {
            from -= 1
            if bytes[from] & 0xC0 != 0x80 { caret += 1 }
        }
        var to = offset
        var after = 0
        while to < bytes.count, bytes[to] != 0x0A {
            if bytes[to] & 0xC0 != 0x80 {
                guard caret + after < Self.width else { break }
                after += 1
            }
            to += 1
        }
        var scalars = String.UnicodeScalarView()
        for scalar in String(decoding: bytes[from..<to], as: UTF8.self).unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        text = String(scalars)
        self.caret = caret
    }
}
