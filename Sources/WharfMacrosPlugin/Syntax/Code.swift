#if Macros
/// Swift source that is written line by line.
struct Code {
    private(set) var lines: [String] = []
    private var depth = 0

    var text: String { lines.joined(separator: "\n") }

    mutating func line(_ text: String) {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: depth) + text)
    }

    /// A head that ends in an opening brace, an indented body, and the closing brace with what
    /// follows it.
    mutating func block(_ head: String, closing: String = "}", _ body: (inout Code) -> Void) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line(closing)
    }

    /// A `switch`, whose cases stand as far left as itself.
    mutating func choice(_ head: String, _ cases: (inout Code) -> Void) {
        line(head + " {")
        cases(&self)
        line("}")
    }
}

extension String {
    /// A Swift string literal with this value.
    var literal: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\"\(text)\""
    }

    /// What the fast comparison with the bytes of a document can't find, as JSON writes it with an
    /// escape.
    var needsJSONEscape: Bool {
        unicodeScalars.contains { $0 == "\"" || $0 == "\\" || $0.value < 0x20 }
    }
}
#endif
