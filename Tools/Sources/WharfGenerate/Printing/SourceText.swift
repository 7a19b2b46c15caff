/// Swift source, written line by line.
struct SourceText {
    private var text = ""
    private var depth = 0

    /// The whole file, without a blank line at its end.
    var file: String {
        var lines = Substring(text)
        while lines.hasSuffix("\n\n") { lines.removeLast() }
        return String(lines)
    }

    /// The width at which lines are broken.
    static let width = 100

    mutating func line(_ line: String = "") {
        if line.isEmpty {
            // Prevents a blank line at the beginning, after an opening brace or after another one.
            if !text.isEmpty, !text.hasSuffix("\n\n"), !text.hasSuffix("{\n") { text += "\n" }
            return
        }
        text += String(repeating: "    ", count: depth) + line + "\n"
    }

    /// Writes `head {`, the body, and `}`.
    mutating func block(_ head: String, _ body: (inout SourceText) -> Void) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    /// Writes lines that continue the line above, indented.
    mutating func indented(_ body: (inout SourceText) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }

    /// Writes `head(a, b)tail`, on several lines if it is too long for one.
    mutating func call(_ head: String, _ arguments: [String], _ tail: String = "") {
        let whole = "\(head)(\(arguments.joined(separator: ", ")))\(tail)"
        if fits(whole) { return line(whole) }
        line(head + "(")
        indented { text in
            let joined = arguments.joined(separator: ", ")
            if text.fits(joined) { return text.line(joined) }
            for (index, argument) in arguments.enumerated() {
                text.line(argument + (index < arguments.count - 1 ? "," : ""))
            }
        }
        line(")" + tail)
    }

    /// Writes `head a, b tail`, with one line per item if it is too long for one.
    mutating func list(_ head: String, _ items: [String], _ tail: String) {
        let whole = "\(head) \(items.joined(separator: ", ")) \(tail)"
        if fits(whole) { return line(whole) }
        line(head)
        indented { text in
            for (index, item) in items.enumerated() { text.line(item + (index < items.count - 1 ? "," : "")) }
        }
        line(tail)
    }

    private func fits(_ line: String) -> Bool { depth * 4 + line.count <= Self.width }

    /// Writes a documentation comment.
    mutating func comment(_ text: String) { line("/// " + text) }

    /// Returns the text as a string literal.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            default:
                // Escapes invisible characters, those that combine with the quote, and those that
                // change the direction of text, too.
                let isPlain =
                    scalar.isASCII ? scalar.value >= 0x20 && scalar.value != 0x7F : scalar.properties.isAlphabetic
                literal += isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return literal + "\""
    }
}
