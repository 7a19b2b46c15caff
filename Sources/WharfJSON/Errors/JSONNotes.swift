/// An error as the reader keeps it while it reads: an offset and what would have been right. Line,
/// column and path are found by walking the document again, once, when all is over.
@usableFromInline struct JSONNote: Sendable {
    @usableFromInline var offset: Int
    @usableFromInline var code: JSONIssue.Code
    @usableFromInline var expected: String
    /// A key below the place at `offset` that the error is about.
    @usableFromInline var key: String?
    /// The place is inside of a string, so that what stands there is a character and no value.
    var isInString = false

    @usableFromInline init(offset: Int, code: JSONIssue.Code, expected: String, key: String? = nil) {
        self.offset = offset
        self.code = code
        self.expected = expected
        self.key = key
    }
}

/// What went wrong so far.
@usableFromInline struct JSONNotes: Sendable {
    private(set) var list: [JSONNote] = []
    /// How many more there were than are kept.
    private(set) var omitted = 0
    /// Nothing can be read any more: the grammar was broken, or the first error was to be the last.
    @usableFromInline private(set) var isFatal = false
    let options: JSONReadingOptions
    /// What unions have gone back and read again, in bytes; capped, so that no nesting of them
    /// takes more than linear time.
    var rewindsLeft: Int
    /// How many arrays are open that leave out what is wrong.
    @usableFromInline var tolerated = 0
    /// Where the errors of elements go that were left out.
    @usableFromInline var report: JSONFailureReport?

    init(options: JSONReadingOptions, length: Int) {
        self.options = options
        rewindsLeft = 64 * (length + 1024)
    }

    var isEmpty: Bool { list.isEmpty && omitted == 0 }

    /// - Parameter note: not made where there is no room for it: a document that is wrong
    ///   throughout costs no text for each error.
    mutating func add(_ note: @autoclosure () -> JSONNote, isFatal endsReading: Bool = false) {
        guard !isFatal else { return }
        append(note(), limit: endsReading ? .max : options.maximumIssues)
        if endsReading || (options.stopsAtFirstError && tolerated == 0) { isFatal = true }
    }

    mutating func append(_ note: @autoclosure () -> JSONNote, limit: Int) {
        let reported = tolerated == 0 ? 0 : report?.count ?? 0
        if list.count < limit, reported < limit { list.append(note()) } else { omitted += 1 }
    }

    /// Takes back what was noted since.
    mutating func forget(since mark: Mark) {
        list.removeSubrange(mark.kept...)
        omitted = mark.omitted
    }

    /// How much there was at a moment.
    @usableFromInline struct Mark: Sendable {
        let kept: Int
        let omitted: Int
    }

    @usableFromInline var mark: Mark { Mark(kept: list.count, omitted: omitted) }

    @usableFromInline func isClean(since mark: Mark) -> Bool { list.count == mark.kept && omitted == mark.omitted }

    /// Moves what was noted since into the report; but not what ended the reading, which is the
    /// last.
    @usableFromInline mutating func setAside(since mark: Mark, reported: Int) {
        let report = report ?? JSONFailureReport()
        self.report = report
        let moved = list[mark.kept...].dropLast(isFatal ? 1 : 0)
        report.add(moved, at: tolerated, since: reported, limit: options.maximumIssues)
        list.removeSubrange(moved.indices)
        omitted = mark.omitted
    }
}

extension JSONReader {
    /// Notes that another kind of value was due, and skips the one at the cursor. A value that is
    /// broken is reported as that alone.
    @usableFromInline @inline(never) mutating func noteMismatch(_ expected: StaticString) {
        noteMismatch(with: expected.description)
    }

    @inline(never) mutating func noteMismatch(with expected: @autoclosure () -> String) {
        guard !notes.isFatal else { return }
        let start = offset
        skipValue()
        guard !notes.isFatal else { return }
        note(JSONNote(offset: start, code: .typeMismatch, expected: expected()))
    }

    /// Notes, and ends the reading where this was to be the last error.
    @inline(never) mutating func note(_ note: @autoclosure () -> JSONNote, isFatal: Bool = false) {
        notes.add(note(), isFatal: isFatal)
        if notes.isFatal { p = end }
    }

    @usableFromInline @inline(never) mutating func noteSyntax(_ expected: StaticString) {
        noteSyntax(expected, at: p)
    }

    @inline(never) mutating func noteSyntax(
        _ expected: StaticString, code: JSONIssue.Code = .syntax, at place: UnsafePointer<UInt8>,
        isInString: Bool = false
    ) {
        var breach = JSONNote(offset: min(place, end) - base, code: code, expected: expected.description)
        breach.isInString = isInString
        note(breach, isFatal: true)
    }

    /// Whether one more level may open; notes it where it may not.
    @usableFromInline @inline(never) mutating func hasRoom() -> Bool {
        let (place, limit) = (offset, notes.options.maximumDepth)
        if levelsLeft > 0, !stack.isUsedUp { return true }
        let expected =
            levelsLeft > 0 ? "levels that the stack has room for" : "at most \(limit) levels of arrays and objects"
        note(JSONNote(offset: place, code: .tooDeep, expected: expected), isFatal: true)
        return false
    }

    /// Notes that a value which has been read can't be used.
    ///
    /// - Parameters:
    ///   - place: where the value begins, as ``offset`` said before it was read.
    ///   - expected: what would have been right, as in "an ISO 8601 date".
    /// - Returns: nil, to return at once.
    @inline(never) public mutating func invalid<Value>(
        at place: Int, _ code: JSONIssue.Code = .invalidValue, expected: @autoclosure () -> String
    ) -> Value? {
        let place = max(0, min(place, end - base))
        note(JSONNote(offset: place, code: code, expected: expected()))
        return nil
    }

    /// Notes that another kind of value was due, and skips the one at the cursor.
    ///
    /// - Returns: nil, to return at once.
    @inline(never) public mutating func mismatch<Value>(expected: @autoclosure () -> String) -> Value? {
        noteMismatch(with: expected())
        return nil
    }
}
