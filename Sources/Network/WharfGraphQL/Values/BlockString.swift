/// Reads and prints block strings (GraphQL September 2025 §2.10.4, Block Strings).
enum BlockString {
    /// Returns the value of the text between triple quotes: `BlockStringValue` of the
    /// specification.
    static func value(of raw: UnsafeBufferPointer<UInt8>, hasEscapes: Bool) -> String {
        // First pass: the common indentation and the first and last lines with content
        // (BlockStringValue).
        var commonIndent = Int.max
        var contentLines: ClosedRange<Int>?
        var number = 0
        forEachLine(of: raw) { line in
            if let indent = line.firstIndex(where: { !$0.isBlank }).map({ $0 - line.startIndex }) {
                contentLines = (contentLines?.lowerBound ?? number)...number
                // The first line does not count for the indentation: it begins behind the quotes.
                if number > 0 { commonIndent = min(commonIndent, indent) }
            }
            number += 1
        }
        guard let contentLines else { return "" }
        var value: [UInt8] = []
        value.reserveCapacity(raw.count)
        number = 0
        // Second pass: blank lines at both ends are dropped, and the indentation is removed.
        forEachLine(of: raw) { line in
            if contentLines.contains(number) {
                if number > contentLines.lowerBound { value.append(0x0A) }
                append(number == 0 ? line : line.dropFirst(commonIndent), to: &value, hasEscapes: hasEscapes)
            }
            number += 1
        }
        return String(decoding: value, as: UTF8.self)
    }

    private static func append(_ line: Slice<UnsafeBufferPointer<UInt8>>, to value: inout [UInt8], hasEscapes: Bool) {
        guard hasEscapes else {
            value.append(contentsOf: line)
            return
        }
        var index = line.startIndex
        while index < line.endIndex {
            let isEscape =
                // The range is checked first: an escape may be cut off by the end of a line.
                line[index] == UInt8(ascii: "\\") && index + 3 < line.endIndex
                && line[index + 1...index + 3].allSatisfy { $0 == UInt8(ascii: "\"") }
            value.append(contentsOf: isEscape ? line[index + 1...index + 3] : line[index...index])
            index += isEscape ? 4 : 1
        }
    }

    private static func forEachLine(
        of raw: UnsafeBufferPointer<UInt8>, _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Void
    ) {
        var start = 0
        var index = 0
        while index < raw.count {
            if raw[index] == 0x0A || raw[index] == 0x0D {
                body(raw[start..<index])
                // CR LF is one line end.
                if raw[index] == 0x0D, index + 1 < raw.count, raw[index + 1] == 0x0A { index += 1 }
                start = index + 1
            }
            index += 1
        }
        body(raw[start...])
    }

    /// Returns whether a block string with this text is read back unchanged.
    static func canHold(_ text: String) -> Bool {
        var isFirstLine = true
        var isBlankLine = true
        var lineIsIndented = false
        var allAreIndented = true
        for byte in text.utf8 {
            switch byte {
            // A carriage return would be read back as a line feed.
            case 0x0D: return false
            case 0x0A:
                // A blank first line would be dropped.
                if isFirstLine, isBlankLine { return false }
                (isFirstLine, isBlankLine, lineIsIndented) = (false, true, false)
            case 0x20, 0x09: if isBlankLine { lineIsIndented = true }
            default:
                if isBlankLine { allAreIndented = allAreIndented && lineIsIndented }
                isBlankLine = false
            }
        }
        if text.utf8.isEmpty { return true }
        // A blank last line would be dropped, and common indentation of all other lines removed.
        return !isBlankLine && (isFirstLine || !allAreIndented)
    }
}
