/// JSON as bytes: checked against RFC 8259 and embedded as it is, so that no number is read and written again.
struct JSONText: Equatable {
    /// One JSON value in one line.
    let bytes: [UInt8]

    /// Deeper nesting is taken for no JSON, as most readers would refuse it.
    static let deepestNesting = 512

    /// The text in one line, or nil when `body` is not one JSON text in UTF-8. A byte order mark is dropped.
    init?(_ body: [UInt8]) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = body.starts(with: mark) ? body.dropFirst(3) : body[...]
        guard String(validating: text, as: UTF8.self) != nil else { return nil }
        var scanner = Scanner(text)
        guard scanner.acceptsText() else { return nil }
        // A raw line break stands between tokens only: inside a string it would have been refused.
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        bytes = text.map { $0 == lineFeed || $0 == carriageReturn ? UInt8(ascii: " ") : $0 }
    }

    /// A string as JSON text.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// Walks through a text without building anything; containers are counted, not recursed into.
private struct Scanner {
    private enum Container { case array, object }

    private let text: ArraySlice<UInt8>
    private var index: Int
    private var open: [Container] = []

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        self.index = text.startIndex
    }

    mutating func acceptsText() -> Bool {
        while true {
            skipSpace()
            // Here a value is expected.
            switch peek {
            case UInt8(ascii: "{"):
                index += 1
                guard enter(.object) else { return false }
                skipSpace()
                if !take(UInt8(ascii: "}")) {
                    guard name() else { return false }
                    continue
                }
                open.removeLast()
            case UInt8(ascii: "["):
                index += 1
                guard enter(.array) else { return false }
                skipSpace()
                guard take(UInt8(ascii: "]")) else { continue }
                open.removeLast()
            default:
                guard scalar() else { return false }
            }
            // Here a value has ended.
            while true {
                skipSpace()
                guard let container = open.last else { return index == text.endIndex }
                if take(UInt8(ascii: ",")) {
                    skipSpace()
                    if container == .object { guard name() else { return false } }
                    break
                }
                guard take(container == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
                open.removeLast()
            }
        }
    }

    private var peek: UInt8? { index < text.endIndex ? text[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        index += 1
        return true
    }

    private mutating func enter(_ container: Container) -> Bool {
        open.append(container)
        return open.count <= JSONText.deepestNesting
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// A member's name and its colon.
    private mutating func name() -> Bool {
        guard string() else { return false }
        skipSpace()
        return take(UInt8(ascii: ":"))
    }

    private mutating func scalar() -> Bool {
        switch peek {
        case UInt8(ascii: "\""): string()
        case UInt8(ascii: "t"): word("true")
        case UInt8(ascii: "f"): word("false")
        case UInt8(ascii: "n"): word("null")
        default: number()
        }
    }

    private mutating func word(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { expected in
            guard text[index...].starts(with: expected) else { return false }
            index += expected.count
            return true
        }
    }

    private mutating func string() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        while let byte = peek {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case ..<0x20: return false
            case UInt8(ascii: "\\"): guard escape() else { return false }
            default: continue
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard let byte = peek else { return false }
        index += 1
        if byte != UInt8(ascii: "u") { return "\"\\/bfnrt".utf8.contains(byte) }
        for _ in 0..<4 {
            guard let digit = peek, Character(UnicodeScalar(digit)).isHexDigit else { return false }
            index += 1
        }
        return true
    }

    private mutating func number() -> Bool {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { guard digits() else { return false } }
        if take(UInt8(ascii: ".")) { guard digits() else { return false } }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            index += 1
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() else { return false }
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = index
        while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
        return index > start
    }
}
