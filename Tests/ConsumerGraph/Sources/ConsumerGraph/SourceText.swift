/// Swift source as far as this check must understand it.
enum SourceText {
    /// The lines of a source with comments and the content of string literals taken out. Line
    /// numbers stay.
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

    /// Block comments nest.
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

    /// Drops a string literal at the front, raw ones and those of several lines included. An
    /// interpolation is taken for text, so a quote inside it ends the literal early: no import can
    /// stand there.
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
            // A literal of one line that does not end is no reason to lose the rest of the file.
            if quotes.count == 1, character.isNewline { break }
            rest = rest.dropFirst(rest.hasPrefix(escape) ? escape.count + 1 : 1)
        }
        return start[..<rest.startIndex]
    }
}
