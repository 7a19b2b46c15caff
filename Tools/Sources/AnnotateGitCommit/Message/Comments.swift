/// Determines the lines of a message that git will remove.
package struct Comments: Hashable, Sendable {
    /// git's final cleanup of a message (`commit.cleanup`).
    ///
    /// Hooks do not learn of the option `--cleanup`.
    package enum Cleanup: String, Sendable {
        case standard = "default"
        case strip, whitespace, verbatim, scissors
    }

    /// The start of a comment: `core.commentChar` or `core.commentString`.
    package enum Marker: Hashable, Sendable {
        case fixed([UInt8])
        /// A character that starts no line of the message that git got.
        case auto
    }

    /// The start of a comment in this message.
    let marker: [UInt8]
    let cleanup: Cleanup
    /// Whether a person edits the message.
    let isEdited: Bool

    init(marker: [UInt8], cleanup: Cleanup, isEdited: Bool) {
        self.marker = marker
        self.cleanup = cleanup
        self.isEdited = isEdited
    }

    /// - Parameters:
    ///   - message: the message as git wrote it.
    ///   - isEdited: nil if it is not known, because a person may have set git's environment
    ///     variable. Then git's explanations in the message decide.
    package init(of message: [UInt8], marker: Marker, cleanup: Cleanup, isEdited: Bool?) {
        let lines = lineRanges(of: message).map { message[$0] }
        let character =
            switch marker {
            case .fixed(let bytes): bytes
            case .auto: Self.chosenMarker(in: lines)
            }
        self.init(
            marker: character, cleanup: cleanup,
            isEdited: isEdited
                ?? Self.explanations(in: lines, marker: character).contains { $0.starts(with: character + [.tab]) })
    }

    /// Whether the comments after the message are git's and not the author's.
    var follow: Bool { areStripped || (isEdited && cleanup != .scissors) }

    /// Whether git removes comments everywhere in the message.
    var areStripped: Bool { cleanup == .strip || (cleanup == .standard && isEdited) }

    /// Whether git removes nothing, not even white space.
    var isVerbatim: Bool { cleanup == .verbatim }

    /// Returns the marker that git chose before it added its explanations.
    ///
    /// It follows `adjust_comment_line_char` in commit.c.
    private static func chosenMarker(in lines: [ArraySlice<UInt8>]) -> [UInt8] {
        let candidates = "#;@!$%^&|:".utf8.map { [$0] }
        func isUnused(_ marker: [UInt8], in lines: ArraySlice<ArraySlice<UInt8>>) -> Bool {
            !lines.contains { $0.starts(with: marker) }
        }
        let shown = candidates.first { marker in
            if lines.contains(where: { isCut($0, marker: marker) }) { return true }
            let explanations = explanations(in: lines, marker: marker)
            return !explanations.isEmpty && isUnused(marker, in: lines[..<explanations.startIndex])
        }
        return shown ?? candidates.first { isUnused($0, in: lines[...]) } ?? candidates[0]
    }

    /// Returns git's explanations for people: the last lines, or the lines above the diff of
    /// `commit -v`.
    ///
    /// A blank line precedes them, and empty comments separate them.
    private static func explanations(
        in lines: [ArraySlice<UInt8>], marker: [UInt8]
    ) -> ArraySlice<ArraySlice<UInt8>> {
        let shown = lines.prefix { !isCut($0, marker: marker) }
        guard let last = shown.lastIndex(where: { !$0.allSatisfy(\.isSpace) }),
            let above = shown[...last].lastIndex(where: { !$0.starts(with: marker) }),
            shown[above].allSatisfy(\.isSpace),
            shown[...last].dropFirst(above + 2).contains(where: { $0.elementsEqual(marker + [.lineEnd]) })
        else { return [] }
        return shown[(above + 1)...last]
    }

    /// Returns whether `line` is the cut line of wt-status.c.
    func isCut(_ line: ArraySlice<UInt8>) -> Bool { isEdited && Self.isCut(line, marker: marker) }

    private static func isCut(_ line: ArraySlice<UInt8>, marker: [UInt8]) -> Bool {
        line.starts(with: marker)
            && line.dropFirst(marker.count).elementsEqual(
                " ------------------------ >8 ------------------------\n".utf8)
    }
}

/// Returns the range of each line, including its line end.
func lineRanges(of bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while start < bytes.count {
        let end = bytes[start...].firstIndex(of: .lineEnd).map { $0 + 1 } ?? bytes.count
        ranges.append(start..<end)
        start = end
    }
    return ranges
}
