extension BlockString {
    /// The layout of a block string, as graphql-js computes it.
    struct Layout {
        let beginsLine: Bool
        let endsLine: Bool

        init(_ text: String, isCompact: Bool) {
            var breaks = 0
            var othersAreIndented = true
            var startsLine = false
            for byte in text.utf8 {
                if byte == 0x0A {
                    breaks += 1
                } else if startsLine, !byte.isBlank {
                    othersAreIndented = false
                }
                startsLine = byte == 0x0A
            }
            // If all other lines are indented, the text begins on a line of its own. Then its first
            // line counts for the common indentation, and no blank is removed.
            let mustBegin = breaks > 0 && othersAreIndented
            let endsInTripleQuote = text.utf8.suffix(3).elementsEqual("\"\"\"".utf8) && Self.splitsEvenly(text)
            // A quote or backslash at the end would join the closing quotes.
            let mustEnd = (text.utf8.last == UInt8(ascii: "\"") && !endsInTripleQuote) || text.utf8.last == 0x5C
            let isSpread =
                !isCompact && (breaks > 0 || mustEnd || endsInTripleQuote || BlockString.isLong(text))
            // A leading blank of a single line would be removed as indentation.
            let mustNotBegin = breaks == 0 && text.utf8.first?.isBlank == true
            beginsLine = mustBegin || isSpread && !mustNotBegin
            endsLine = mustEnd || isSpread
        }

        /// Returns whether the quotes at the end are whole groups of three, as the escaping from
        /// the left assumes.
        private static func splitsEvenly(_ text: String) -> Bool {
            text.utf8.reversed().prefix { $0 == UInt8(ascii: "\"") }.count % 3 == 0
        }
    }

    /// Returns whether the text is longer than 70 UTF-16 units.
    private static func isLong(_ text: String) -> Bool {
        text.utf8.count > 70 && (text.utf8.count > 210 || text.utf16.count > 70)
    }

    /// Prints a block string.
    ///
    /// - Parameters:
    ///   - text: a text that a block string ``canHold(_:)``.
    ///   - indent: the number of blanks after each line end.
    static func append(_ text: String, to bytes: inout [UInt8], isCompact: Bool, indent: Int = 0) {
        let layout = Layout(text, isCompact: isCompact)
        var quotes = 0
        bytes.append(contentsOf: "\"\"\"".utf8)
        if layout.beginsLine { appendLineEnd(to: &bytes, indent) }
        for byte in text.utf8 {
            quotes = byte == UInt8(ascii: "\"") ? quotes + 1 : 0
            // Three quotes in a row would end the string, so all three become one escape.
            if quotes == 3 {
                bytes.removeLast(2)
                bytes.append(contentsOf: "\\\"\"\"".utf8)
                quotes = 0
            } else if byte == 0x0A {
                appendLineEnd(to: &bytes, indent)
            } else {
                bytes.append(byte)
            }
        }
        if layout.endsLine { appendLineEnd(to: &bytes, indent) }
        bytes.append(contentsOf: "\"\"\"".utf8)
    }

    private static func appendLineEnd(to bytes: inout [UInt8], _ indent: Int) {
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: indent))
    }

    /// Returns the printed length in UTF-16 units, without indentation.
    static func length(of text: String) -> Int {
        var bytes: [UInt8] = []
        append(text, to: &bytes, isCompact: false)
        return String(decoding: bytes, as: UTF8.self).utf16.count
    }

    /// Returns whether the printed string takes more than one line.
    static func isSpread(_ text: String) -> Bool {
        let layout = Layout(text, isCompact: false)
        return layout.beginsLine || layout.endsLine || text.utf8.contains(0x0A)
    }
}
