/// A message in git's file: the author's text, then git's comments, then perhaps a diff.
///
/// It is bytes in any encoding that contains ASCII. Existing text is never transcoded.
package struct CommitMessage: Hashable, Sendable {
    package let bytes: [UInt8]
    let comments: Comments
    /// Whether git wrote the message as a form to fill in.
    ///
    /// Then lines that look like trailers are trailers, as the subject will be written above them.
    let isForm: Bool
    /// The lines above the cut.
    let lines: [Range<Int>]
    /// The number of the author's lines; blank lines and comments follow them.
    let authored: Int

    package init(_ bytes: [UInt8], _ comments: Comments, isForm: Bool = false) {
        self.bytes = bytes
        self.comments = comments
        self.isForm = isForm
        lines = Array(lineRanges(of: bytes).prefix { !comments.isCut(bytes[$0]) })
        authored =
            (lines.lastIndex { line in
                !bytes[line].allSatisfy(\.isSpace) && !(comments.follow && bytes[line].starts(with: comments.marker))
            } ?? -1) + 1
    }

    /// The end of the author's part.
    var end: Int { authored == 0 ? 0 : lines[authored - 1].upperBound }

    func isComment(_ line: Range<Int>) -> Bool { comments.follow && bytes[line].starts(with: comments.marker) }

    func isBlank(_ line: Range<Int>) -> Bool { bytes[line].allSatisfy(\.isSpace) }

    func saysSomething(_ line: Range<Int>) -> Bool { !isComment(line) && !isBlank(line) }

    /// The first line with text.
    ///
    /// A trailer does not count: its subject is still to be written above it.
    var subject: Range<Int>? {
        guard let first = lines.first(where: saysSomething), !trailers.contains(first) else {
            return nil
        }
        return first
    }

    /// The lines that git keeps, without sign-offs.
    ///
    /// If there are none, git calls the message empty.
    var substance: [ArraySlice<UInt8>] {
        lines.filter { line in
            !isBlank(line) && !(comments.areStripped && bytes[line].starts(with: comments.marker))
                && !bytes[line].starts(with: "Signed-off-by: ".utf8)
        }.map { bytes[$0].withoutTrailingSpace }
    }

    /// Whether git refuses the message as empty.
    package var isEmpty: Bool { substance.isEmpty }

    /// Returns whether the message has no text beyond `template`, which git refuses too.
    package func isUntouched(_ template: CommitMessage) -> Bool { substance == template.substance }

    func with(_ bytes: [UInt8]) -> CommitMessage { CommitMessage(bytes, comments, isForm: isForm) }
}

extension ArraySlice<UInt8> {
    var withoutTrailingSpace: ArraySlice<UInt8> {
        guard let last = lastIndex(where: { !$0.isSpace }) else { return [] }
        return self[...last]
    }
}
