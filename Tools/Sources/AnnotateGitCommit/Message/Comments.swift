/// Which lines of a message git is going to remove.
package struct Comments: Hashable, Sendable {
    /// What git does to a message in the end (`commit.cleanup`; `--cleanup` is not told to hooks).
    package enum Cleanup: String, Sendable {
        case standard = "default"
        case strip, whitespace, verbatim, scissors
    }

    /// What comments start with: `core.commentChar` or `core.commentString`.
    package enum Marker: Hashable, Sendable {
        case fixed([UInt8])
        /// A character that starts no line of the message that git was given.
        case auto
    }

    /// What comments start with here.
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
    ///   - message: as git wrote it.
    ///   - isEdited: nil where git's word for it, an environment variable, may be a person's: then
    ///     git's explanations tell.
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

    /// Whether what follows the message, in comments, is git's and not the author's.
    var follow: Bool { areStripped || (isEdited && cleanup != .scissors) }

    /// Whether git removes comments wherever they are.
    var areStripped: Bool { cleanup == .strip || (cleanup == .standard && isEdited) }

    /// Whether not even white space is removed.
    var isVerbatim: Bool { cleanup == .verbatim }

    /// As `adjust_comment_line_char` in commit.c chose it, before git added its explanations.
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

    /// What git adds for people: the last lines, or those above the diff of `commit -v`; a blank
    /// line stands above them, and empty comments between them.
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

    /// The cut of `line`, as wt-status.c has it.
    func isCut(_ line: ArraySlice<UInt8>) -> Bool { isEdited && Self.isCut(line, marker: marker) }

    private static func isCut(_ line: ArraySlice<UInt8>, marker: [UInt8]) -> Bool {
        line.starts(with: marker)
            && line.dropFirst(marker.count).elementsEqual(
                " ------------------------ >8 ------------------------\n".utf8)
    }
}

/// Each with its line end.
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
