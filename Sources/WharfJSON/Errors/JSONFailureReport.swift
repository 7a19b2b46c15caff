/// Why elements were left out, of all the arrays of one document.
///
/// Their lines and paths are found by one walk at the end of the reading, for all of them together: so that a document in which
/// most elements are wrong takes linear time.
///
/// `@unchecked Sendable`: changed only while the document is read, by the one reader that owns it, and never after
/// ``JSONReader/finish()``; before that no value that refers to it has been handed out.
final class JSONFailureReport: @unchecked Sendable {
    private var notes: [JSONNote] = []
    /// How deep the array lies, among arrays that leave elements out, which left one out for the note of the same index.
    private var levels: [Int] = []
    private var issues: [JSONIssue] = []

    init(_ issues: [JSONIssue] = [], level: Int = 0) {
        self.issues = issues
        levels = issues.map { _ in level }
    }

    var count: Int { notes.count }

    /// Takes in why an element was left out. What arrays inside of it had left out, from `start` on, is part of that.
    func add(_ more: ArraySlice<JSONNote>, at level: Int, since start: Int, limit: Int) {
        notes += more.prefix(max(0, limit - notes.count))
        levels.replaceSubrange(start..., with: repeatElement(level, count: notes.count - start))
    }

    /// Those of one array, in the order of the document.
    ///
    /// - Parameter range: what was added while the array was read. Of the arrays that were open then no other is at this level.
    func issues(in range: Range<Int>, at level: Int) -> [JSONIssue] {
        range.clamped(to: issues.indices).filter { levels[$0] == level }.map { issues[$0] }
            .sorted { $0.location < $1.location }
    }

    func resolve(in bytes: JSONBytes) {
        issues = JSONNotes.issues(notes, in: bytes)
    }
}
