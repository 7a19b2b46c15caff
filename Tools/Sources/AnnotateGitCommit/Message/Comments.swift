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
    /// Whether what follows the message, in comments, is git's and not the author's.
    let follow: Bool
    /// Whether git removes comments wherever they are.
    let areStripped: Bool
    /// Whether git removes all from the line `# --- >8 ---` on.
    let areCut: Bool
    /// Whether not even white space is removed.
    let isVerbatim: Bool

    /// - Parameter isEdited: whether a person edits the message. git's own word is an environment variable that a person may set as well.
    package init(of message: [UInt8], marker: Marker, cleanup: Cleanup, isEdited: Bool) {
        let lines = lineRanges(of: message)
        self.marker =
            switch marker {
            case .fixed(let bytes): bytes
            case .auto: Self.chosenMarker(in: message, lines)
            }
        // git's explanations have empty comments between them; what people write has none.
        let alone = self.marker + [.lineEnd]
        let isEdited = isEdited || lines.contains { message[$0].elementsEqual(alone) }
        areStripped = cleanup == .strip || (cleanup == .standard && isEdited)
        follow = areStripped || (isEdited && cleanup != .scissors)
        areCut = isEdited
        isVerbatim = cleanup == .verbatim
    }

    /// git chose it before it added its explanations, which are the last lines, or stand right before the diff of `commit -v`.
    private static func chosenMarker(in message: [UInt8], _ lines: [Range<Int>]) -> [UInt8] {
        let candidates = Array("#;@!$%^&|:".utf8)
        for line in lines {
            if let first = message[line].first, candidates.contains(first), isCut(message[line], marker: [first]) {
                return [first]
            }
        }
        let last = lines.last { !message[$0].allSatisfy(\.isSpace) }
        if let last, let first = message[last].first, candidates.contains(first),
            lines.contains(where: { message[$0].elementsEqual([first, .lineEnd]) })
        {
            return [first]
        }
        return [candidates[0]]
    }

    /// The cut of `line`, as wt-status.c has it.
    func isCut(_ line: ArraySlice<UInt8>) -> Bool { areCut && Self.isCut(line, marker: marker) }

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
