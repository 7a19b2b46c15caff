/// A message as it lies in git's file: what the author wrote, then git's comments, then perhaps a
/// diff.
///
/// It is bytes in any encoding of which ASCII is a part; what is there is never transcoded.
package struct CommitMessage: Hashable, Sendable {
    package let bytes: [UInt8]
    let comments: Comments
    /// Whether git wrote it for somebody to fill in: what looks like a trailer is one, for the
    /// subject comes above it.
    let isForm: Bool
    /// Those above the cut.
    let lines: [Range<Int>]
    /// How many of them are the author's: blank lines and comments follow.
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

    /// Where the author's part ends.
    var end: Int { authored == 0 ? 0 : lines[authored - 1].upperBound }

    func isComment(_ line: Range<Int>) -> Bool { comments.follow && bytes[line].starts(with: comments.marker) }

    func isBlank(_ line: Range<Int>) -> Bool { bytes[line].allSatisfy(\.isSpace) }

    func saysSomething(_ line: Range<Int>) -> Bool { !isComment(line) && !isBlank(line) }

    /// The first line that says something, and is no trailer below a subject that is still to be
    /// written.
    var subject: Range<Int>? {
        guard let first = lines.first(where: saysSomething), !trailers.contains(first) else {
            return nil
        }
        return first
    }

    /// What is left of it in the commit, but for sign-offs, without which git calls a message
    /// empty.
    var substance: [ArraySlice<UInt8>] {
        lines.filter { line in
            !isBlank(line) && !(comments.areStripped && bytes[line].starts(with: comments.marker))
                && !bytes[line].starts(with: "Signed-off-by: ".utf8)
        }.map { bytes[$0].withoutTrailingSpace }
    }

    /// Whether git refuses to commit it.
    package var isEmpty: Bool { substance.isEmpty }

    /// Whether it says nothing that `template` does not say: git refuses that, too.
    package func isUntouched(_ template: CommitMessage) -> Bool { substance == template.substance }

    func with(_ bytes: [UInt8]) -> CommitMessage { CommitMessage(bytes, comments, isForm: isForm) }
}

extension ArraySlice<UInt8> {
    var withoutTrailingSpace: ArraySlice<UInt8> {
        guard let last = lastIndex(where: { !$0.isSpace }) else { return [] }
        return self[...last]
    }
}
