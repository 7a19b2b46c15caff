/// A plain transcription of RFC 8259, production by production. The reader is compared with it, and
/// shares no code with it.
///
/// The fuzz targets compile this file too.
struct Grammar {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var index = 0

    /// Whether the bytes are one JSON text that is no deeper than the limit.
    static func accepts(_ bytes: [UInt8], maximumDepth: Int = 512) -> Bool {
        var grammar = Grammar(bytes: bytes, maximumDepth: maximumDepth)
        // §8.1 lets a parser ignore a byte order mark, and both parsers do.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { grammar.index = 3 }
        grammar.whitespace()
        guard grammar.value(depth: 0) else { return false }
        grammar.whitespace()
        return grammar.index == bytes.count
    }

    private init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard byte == UInt8(character.value) else { return false }
        index += 1
        return true
    }

    private mutating func take(word: String) -> Bool {
        guard bytes[index...].starts(with: word.utf8) else { return false }
        index += word.utf8.count
        return true
    }

    private mutating func whitespace() {
        while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private mutating func value(depth: Int) -> Bool {
        switch byte {
        case UInt8(ascii: "{"): depth < maximumDepth && object(depth: depth + 1)
        case UInt8(ascii: "["): depth < maximumDepth && array(depth: depth + 1)
        case UInt8(ascii: "\""): string()
        case UInt8(ascii: "t"): take(word: "true")
        case UInt8(ascii: "f"): take(word: "false")
        case UInt8(ascii: "n"): take(word: "null")
        default: number()
        }
    }

    private mutating func object(depth: Int) -> Bool {
        guard take("{") else { return false }
        whitespace()
        if take("}") { return true }
        repeat {
            whitespace()
            guard string() else { return false }
            whitespace()
            guard take(":") else { return false }
            whitespace()
            guard value(depth: depth) else { return false }
            whitespace()
        } while take(",")
        return take("}")
    }

    private mutating func array(depth: Int) -> Bool {
        guard take("[") else { return false }
        whitespace()
        if take("]") { return true }
        repeat {
            whitespace()
            guard value(depth: depth) else { return false }
            whitespace()
        } while take(",")
        return take("]")
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0"), !digits() { return false }
        if take("."), !digits() { return false }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = index
        while let byte, (0x30...0x39).contains(byte) { index += 1 }
        return index > start
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        let start = index
        while let byte {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: bytes[start..<index - 1], as: UTF8.self) != nil
            case UInt8(ascii: "\\"): guard escape() else { return false }
            case 0..<0x20: return false
            default: continue
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard let character = byte else { return false }
        index += 1
        guard character == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(character) }
        guard let unit = unit() else { return false }
        if UTF16.isTrailSurrogate(unit) { return false }
        guard UTF16.isLeadSurrogate(unit) else { return true }
        guard take("\\"), take("u"), let low = self.unit() else { return false }
        return UTF16.isTrailSurrogate(low)
    }

    private mutating func unit() -> UInt16? {
        guard index + 4 <= bytes.count,
            bytes[index..<index + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { return nil }
        defer { index += 4 }
        return UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
    }
}
