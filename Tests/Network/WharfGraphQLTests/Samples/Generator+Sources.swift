import WharfChecks

@testable import WharfGraphQL

extension Generator where Value == String {
    /// Sources of documents as people write them. They have blanks, commas, comments, line ends of
    /// every kind, escapes, and indented block strings.
    static var source: Generator {
        Generator { choices in
            let compact = try choices.draw(Generator<GraphQLDocument>.document).compact()
            var source = ""
            var previous = ""
            for token in try tokens(of: compact) {
                let isApart = isWord(previous) && (isWord(token) || token == "...")
                source += try choices.draw(.ignored(isApart ? 1...2 : 0...2))
                source += token.hasPrefix("\"") ? try choices.draw(.respelled(token)) : token
                previous = token
            }
            return source + (try choices.draw(.ignored(0...2)))
        }
    }

    /// Such sources with scalars removed, added or replaced, most of which are no documents.
    static var brokenSource: Generator {
        Generator { choices in
            var scalars = Array(try choices.draw(Generator<String>.source).unicodeScalars)
            let place = try choices.draw(.int(in: 0...scalars.count))
            let end = min(scalars.count, place + (try choices.draw(.int(in: 0...2))))
            let scalar = Generator<Unicode.Scalar>.oneOf(
                .element(of: Array("{}()[]$!:=@.\"\\#|& \n-0e1u".unicodeScalars)), .scalar)
            scalars.replaceSubrange(place..<end, with: try choices.draw(.array(of: scalar, count: 0...1)))
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            return String(text)
        }
    }

    private static func tokens(of text: String) throws -> [String] {
        try Array(text.utf8).withUnsafeBufferPointer { bytes in
            var tokens: [String] = []
            var lexer = Lexer(bytes)
            try lexer.advance()
            while lexer.token.kind != .end {
                tokens.append(lexer.text(lexer.token.start, lexer.token.end))
                try lexer.advance()
            }
            return tokens
        }
    }

    private static func isWord(_ token: String) -> Bool {
        guard let first = token.utf8.first else { return false }
        return first.isNameContinue || first == UInt8(ascii: "-") || first == UInt8(ascii: "\"")
    }

    private static func ignored(_ count: ClosedRange<Int>) -> Generator {
        let parts = [" ", "\n", ",", "\t", "  ", "\r\n", "\r", "# it's { \"\u{E9}\u{1F600}\n", "#\r", ",\u{FEFF}"]
        return Generator<[String]>.array(of: .element(of: parts), count: count).map { $0.joined() }
    }

    /// A string token with the same value.
    private static func respelled(_ token: String) -> Generator {
        if token.hasPrefix("\"\"\"") {
            return .element(of: ["\n", "\r\n", "\r"])
                .map { end in
                    // A line end alone starts the text if nothing else must come before it.
                    token.replacing("\n", with: end)
                }
        }
        let spellings: [Unicode.Scalar: [String]] = [
            "a": ["\\u0061", "\\u{61}", "\\u{00061}"], "/": ["\\/"], "\u{E9}": ["\\u00e9", "\\u{E9}"],
            "\u{1F600}": ["\\uD83D\\uDE00", "\\u{1F600}"], "\u{2028}": ["\\u2028"],
        ]
        return Generator { choices in
            var text = ""
            for scalar in token.unicodeScalars {
                text += try choices.draw(.element(of: [String(scalar)] + (spellings[scalar] ?? [])))
            }
            return text
        }
    }
}
