/// Swift source that grows line by line.
struct SourceText {
    private var text = ""
    private var depth = 0

    /// The whole file: no blank line at its end.
    var file: String {
        var lines = Substring(text)
        while lines.hasSuffix("\n\n") { lines.removeLast() }
        return String(lines)
    }

    /// Lines are broken where they would be longer.
    static let width = 100

    mutating func line(_ line: String = "") {
        if line.isEmpty {
            // Never two blank lines, and none at the beginning.
            if !text.isEmpty, !text.hasSuffix("\n\n"), !text.hasSuffix("{\n") { text += "\n" }
            return
        }
        text += String(repeating: "    ", count: depth) + line + "\n"
    }

    /// `head {`, what `body` writes, and `}`.
    mutating func block(_ head: String, _ body: (inout SourceText) -> Void) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    /// What belongs to the line above, and stands further in.
    mutating func indented(_ body: (inout SourceText) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }

    /// `head(a, b)tail`, with a line for each of the arguments where one line is too short.
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

    /// `head a, b tail`, with a line for each where one line is too short.
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

    /// A comment of documentation.
    mutating func comment(_ text: String) { line("/// " + text) }

    /// A literal of a string, whatever is in it.
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
                // Also what can't be seen, what combines with the quote, and what turns the
                // direction of the text.
                let isPlain =
                    scalar.isASCII ? scalar.value >= 0x20 && scalar.value != 0x7F : scalar.properties.isAlphabetic
                literal += isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return literal + "\""
    }
}
