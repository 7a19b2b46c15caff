extension JSONReader {
    /// Ends the reading: only white space may follow.
    ///
    /// - Throws: everything that was noted, in the order of the document.
    public mutating func finish() throws(JSONError) {
        if !notes.isFatal, p < end {
            skipWhitespace()
            if p < end { noteSyntax("the end of the document") }
        }
        if notes.options.duplicateKeys == .reject { noteDuplicateKeys() }
        notes.report?.resolve(in: JSONBytes(storage: storage))
        if let error = notes.error(in: JSONBytes(storage: storage)) { throw error }
    }
}

extension JSONNotes {
    /// nil when nothing was noted. Takes a walk over the document, and a path's length of memory for each issue.
    func error(in bytes: JSONBytes) -> JSONError? {
        let issues = Self.issues(list, in: bytes).sorted { $0.location < $1.location }
        return issues.first.map { JSONError($0, Array(issues.dropFirst()), omitted: omitted) }
    }

    /// In the order of the notes.
    static func issues(_ notes: [JSONNote], in bytes: JSONBytes) -> [JSONIssue] {
        bytes.withUnsafeBytes { bytes in
            var walk = SourceWalk(bytes)
            let found = notes.indices.sorted { notes[$0].offset < notes[$1].offset }.map { index in
                (index, JSONIssue(notes[index], at: walk.place(of: notes[index].offset), in: bytes))
            }
            return found.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

extension JSONIssue {
    init(_ note: JSONNote, at place: SourceWalk.Place, in bytes: UnsafeRawBufferPointer) {
        var path = place.path
        if let key = note.key { path.steps.append(.key(key)) }
        let excerpt = SourceExcerpt(bytes, lineStart: place.lineStart, offset: place.location.offset)
        self.init(
            code: note.code, path: path, location: place.location, expected: note.expected,
            found: note.code == .missingKey
                ? "an object without it" : FoundValue.describe(bytes, at: place.location.offset),
            excerpt: excerpt.text, caret: excerpt.caret
        )
    }
}
