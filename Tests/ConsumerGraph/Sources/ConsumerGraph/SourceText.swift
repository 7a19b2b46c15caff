/// Swift source, parsed only as far as this check needs it.
enum SourceText {
    /// Returns the lines of a source without comments and without the content of string literals.
    /// Line numbers stay.
    static func withoutCommentsAndStrings(_ source: String) -> [String] {
        var rest = Substring(source)
        var kept = ""
        while let character = rest.first {
            if rest.hasPrefix("//") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                kept += newlines(in: dropBlockComment(&rest))
            } else if let literal = dropString(&rest) {
                kept += "\"\"" + newlines(in: literal)
            } else {
                kept.append(character)
                rest.removeFirst()
            }
        }
        return kept.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }

    private static func newlines(in text: Substring) -> String {
        String(repeating: "\n", count: text.count { $0.isNewline })
    }

    /// Drops a block comment. Block comments nest.
    private static func dropBlockComment(_ rest: inout Substring) -> Substring {
        let start = rest
        var depth = 0
        repeat {
            if rest.hasPrefix("/*") {
                depth += 1
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("*/") {
                depth -= 1
                rest = rest.dropFirst(2)
            } else {
                rest = rest.dropFirst()
            }
        } while depth > 0 && !rest.isEmpty
        return start[..<rest.startIndex]
    }

    /// Drops a string literal at the front, including raw and multi-line ones. An interpolation
    /// counts as text, so a quote inside it ends the literal early. That is harmless, as an
    /// interpolation can't contain an import.
    private static func dropString(_ rest: inout Substring) -> Substring? {
        let start = rest
        let hashes = rest.prefix { $0 == "#" }.count
        let opening = rest.dropFirst(hashes)
        guard opening.first == "\"" else { return nil }
        let quotes = opening.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        let closing = quotes + String(repeating: "#", count: hashes)
        let escape = "\\" + String(repeating: "#", count: hashes)
        rest = opening.dropFirst(quotes.count)
        while let character = rest.first {
            if rest.hasPrefix(closing) {
                rest = rest.dropFirst(closing.count)
                break
            }
            // An unterminated literal of one line must not lose the rest of the file.
            if quotes.count == 1, character.isNewline { break }
            rest = rest.dropFirst(rest.hasPrefix(escape) ? escape.count + 1 : 1)
        }
        return start[..<rest.startIndex]
    }
}
