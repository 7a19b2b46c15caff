/// Why elements were left out, of all the arrays of one document.
///
/// Their lines and paths are found by one walk at the end of the reading, for all of them together: so that a document in which
/// most elements are wrong takes linear time.
///
/// `@unchecked Sendable`: changed only while the document is read, by the one reader that owns it, and never after
/// ``JSONReader/finish()``; before that no value that refers to it has been handed out.
final class JSONFailureReport: @unchecked Sendable {
    private var notes: [JSONNote] = []
    private(set) var issues: [JSONIssue] = []

    init(_ issues: [JSONIssue] = []) {
        self.issues = issues
    }

    var count: Int { notes.count }

    func add(_ more: ArraySlice<JSONNote>, limit: Int) {
        notes += more.prefix(max(0, limit - notes.count))
    }

    func resolve(in bytes: JSONBytes) {
        issues = JSONNotes.issues(notes, in: bytes)
    }
}
