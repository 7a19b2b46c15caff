/// Swift source, written line by line.
struct Code {
    private(set) var lines: [String] = []
    private var depth = 0

    var text: String { lines.joined(separator: "\n") }

    mutating func line(_ text: String) {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: depth) + text)
    }

    /// Writes a head with an opening brace, an indented body, and the closing line.
    mutating func block(_ head: String, closing: String = "}", _ body: (inout Code) -> Void) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line(closing)
    }

    /// Writes a `switch`, whose cases are not indented.
    mutating func choice(_ head: String, _ cases: (inout Code) -> Void) {
        line(head + " {")
        cases(&self)
        line("}")
    }
}

extension String {
    /// The value as a Swift string literal.
    var literal: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            // Swift source may not have control characters in a literal.
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\"\(text)\""
    }

    /// Whether JSON writes the text with an escape.
    ///
    /// The fast comparison with a document's bytes can't find such a text.
    var needsJSONEscape: Bool {
        unicodeScalars.contains { $0 == "\"" || $0 == "\\" || $0.value < 0x20 }
    }
}
