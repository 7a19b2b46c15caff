extension JSONReader {
    /// Ends the reading: only white space may follow.
    ///
    /// - Throws: all errors noted, in document order.
    public consuming func finish() throws(JSONError) {
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
    /// Returns the error; nil if nothing was noted.
    ///
    /// Takes one walk over the document, and memory for a path per issue.
    func error(in bytes: JSONBytes) -> JSONError? {
        let issues = Self.issues(list, in: bytes).map(\.issue)
        return issues.first.map { JSONError($0, Array(issues.dropFirst()), omitted: omitted) }
    }

    /// Returns the issues in document order, each with the index of its note.
    ///
    /// The missing keys of one object stay in the order in which they were noted.
    static func issues(_ notes: [JSONNote], in bytes: JSONBytes) -> [(index: Int, issue: JSONIssue)] {
        bytes.withUnsafeBytes { bytes in
            var walk = SourceWalk(bytes)
            let order = notes.indices.sorted { (notes[$0].offset, $0) < (notes[$1].offset, $1) }
            return order.map { ($0, JSONIssue(notes[$0], at: walk.place(of: notes[$0].offset), in: bytes)) }
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
            found: Self.found(note, in: bytes), excerpt: excerpt)
    }

    private static func found(_ note: JSONNote, in bytes: UnsafeRawBufferPointer) -> String {
        switch note.code {
        case .missingKey: "an object without it"
        case .notEncodable: bytes.isEmpty ? "no value" : "a value that JSON can't express"
        default: FoundValue.describe(bytes, at: note.offset, isInString: note.isInString)
        }
    }
}
