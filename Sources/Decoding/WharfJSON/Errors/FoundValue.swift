/// Describes the value at a place, for messages.
enum FoundValue {
    private static let longest = 32

    /// - Parameter isInString: whether the place is inside a string, so that it holds a character
    ///   and not a value.
    static func describe(_ bytes: UnsafeRawBufferPointer, at offset: Int, isInString: Bool = false) -> String {
        guard offset < bytes.count else { return "the end of the document" }
        let byte = bytes[offset]
        if isInString, byte == 0x22 { return "the end of the string" }
        if isInString, byte > 0x20, byte < 0x7F { return "'\(Character(Unicode.Scalar(byte)))'" }
        switch byte {
        case 0x7B: return "an object"
        case 0x5B: return "an array"
        case 0x22: return "the string \(token(bytes, offset) { $0 == 0x22 })\""
        case 0x2D, 0x30...0x39:
            return "the number \(token(bytes, offset) { !isWord($0) && $0 != 0x2B && $0 != 0x2D && $0 != 0x2E })"
        case 0x5C, 0x00..<0x20, 0x7F...: return "the byte 0x\(hex(byte))"
        case _ where isWord(byte): return token(bytes, offset) { !isWord($0) }
        default: return "'\(Character(Unicode.Scalar(byte)))'"
        }
    }

    /// Returns the token at `offset`, cut if it is long.
    private static func token(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, until isEnd: (UInt8) -> Bool
    ) -> String {
        var index = offset + 1
        while index < bytes.count, !isEnd(bytes[index]), bytes[index] >= 0x20 {
            // The byte after a backslash does not end the string.
            index += bytes[index] == 0x5C ? 2 : 1
            if index - offset > longest {
                // Back to the start of a character, so that the cut text is valid UTF-8.
                while index < bytes.count, index > offset, bytes[index] & 0xC0 == 0x80 { index -= 1 }
                return String(decoding: bytes[offset..<min(index, bytes.count)], as: UTF8.self) + "…"
            }
        }
        return String(decoding: bytes[offset..<min(index, bytes.count)], as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == 0x5F
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
