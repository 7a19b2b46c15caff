/// An error as the reader keeps it: an offset and the expected value.
///
/// Line, column and path are found by one more walk over the document, after the reading.
@usableFromInline struct JSONNote: Sendable {
    @usableFromInline var offset: Int
    @usableFromInline var code: JSONIssue.Code
    @usableFromInline var expected: String
    /// The missing or wrong key, below the value at `offset`.
    @usableFromInline var key: String?
    /// Whether the place is inside a string, so that it holds a character and not a value.
    var isInString = false

    @usableFromInline init(offset: Int, code: JSONIssue.Code, expected: String, key: String? = nil) {
        self.offset = offset
        self.code = code
        self.expected = expected
        self.key = key
    }
}

/// The errors so far.
@usableFromInline struct JSONNotes: Sendable {
    // `list` keeps the order in which errors were found, at most `options.maximumIssues` and a
    // breach of the grammar. Once `isFatal` is true nothing is added.
    private(set) var list: [JSONNote] = []
    /// The number of errors beyond those kept.
    private(set) var omitted = 0
    /// Whether reading has ended: the grammar was broken, or the first error was to end it.
    @usableFromInline private(set) var isFatal = false
    let options: JSONReadingOptions
    /// The bytes that unions may still reread.
    ///
    /// The cap keeps the time linear for any nesting of unions.
    var rewindsLeft: Int
    /// The number of open arrays that leave out wrong elements.
    @usableFromInline var tolerated = 0
    /// The report for the errors of elements left out.
    @usableFromInline var report: JSONFailureReport?

    init(options: JSONReadingOptions, length: Int) {
        self.options = options
        rewindsLeft = 64 * (length + 1024)
    }

    var isEmpty: Bool { list.isEmpty && omitted == 0 }

    /// - Parameter note: evaluated only if there is room for it, so that a document full of errors
    ///   costs no text for each.
    mutating func add(_ note: @autoclosure () -> JSONNote, isFatal endsReading: Bool = false) {
        // The reading has ended, so a later error would only be a consequence of the last one.
        guard !isFatal else { return }
        // The error that ends the reading is kept beyond the limit; without it a full list would
        // hide the cause.
        append(note(), limit: endsReading ? .max : options.maximumIssues)
        // An error in an element that may be left out does not end the reading, since the array
        // goes on without it.
        if endsReading || (options.stopsAtFirstError && tolerated == 0) { isFatal = true }
    }

    mutating func append(_ note: @autoclosure () -> JSONNote, limit: Int) {
        // Inside tolerant arrays the report and the list share one limit. Without it a document
        // full of wrong elements would fill memory.
        let reported = tolerated == 0 ? 0 : report?.count ?? 0
        if list.count < limit, reported < limit { list.append(note()) } else { omitted += 1 }
    }

    /// Takes back the errors noted since a mark.
    mutating func forget(since mark: Mark) {
        // Errors are only appended, so those since the mark are the last ones.
        list.removeSubrange(mark.kept...)
        omitted = mark.omitted
    }

    /// The number of errors at a moment.
    @usableFromInline struct Mark: Sendable {
        let kept: Int
        let omitted: Int
    }

    @usableFromInline var mark: Mark { Mark(kept: list.count, omitted: omitted) }

    @usableFromInline func isClean(since mark: Mark) -> Bool { list.count == mark.kept && omitted == mark.omitted }

    /// Moves the errors since a mark into the report.
    ///
    /// The last one stays if it ended the reading.
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
    /// Notes that another kind of value was expected, and skips the one at the cursor.
    ///
    /// If that value breaks the grammar, only the breach is reported.
    @usableFromInline @inline(never) mutating func noteMismatch(_ expected: StaticString) {
        noteMismatch(with: expected.description)
    }

    @inline(never) mutating func noteMismatch(with expected: @autoclosure () -> String) {
        guard !notes.isFatal else { return }
        let start = offset
        // Skipping checks the grammar of the value. If it is broken, the type is of no interest.
        skipValue()
        guard !notes.isFatal else { return }
        note(JSONNote(offset: start, code: .typeMismatch, expected: expected()))
    }

    /// Notes an error, and ends the reading if the first error is to end it.
    @inline(never) mutating func note(_ note: @autoclosure () -> JSONNote, isFatal: Bool = false) {
        notes.add(note(), isFatal: isFatal)
        // The padding after the end is zero, which begins no value. So each read that follows fails
        // at once, and no caller has to check.
        if notes.isFatal { p = end }
    }

    @usableFromInline @inline(never) mutating func noteSyntax(_ expected: StaticString) {
        noteSyntax(expected, at: p)
    }

    @inline(never) mutating func noteSyntax(
        _ expected: StaticString, code: JSONIssue.Code = .syntax, at place: UnsafePointer<UInt8>,
        isInString: Bool = false
    ) {
        // A look ahead may have gone into the padding. No place lies beyond the end.
        var breach = JSONNote(offset: min(place, end) - base, code: code, expected: expected.description)
        breach.isInString = isInString
        note(breach, isFatal: true)
    }

    /// Returns whether one more level may open; notes an error if not.
    @usableFromInline @inline(never) mutating func hasRoom() -> Bool {
        let (place, limit) = (offset, notes.options.maximumDepth)
        if levelsLeft > 0, !stack.isUsedUp { return true }
        let expected =
            levelsLeft > 0
            ? "fewer levels of arrays and objects than fill the stack" : "at most \(limit) levels of arrays and objects"
        note(JSONNote(offset: place, code: .tooDeep, expected: expected), isFatal: true)
        return false
    }

    /// Notes that a value which was read can't be used.
    ///
    /// - Parameters:
    ///   - place: the offset at which the value begins, taken from ``offset`` before it was read.
    ///   - expected: the expected value, as in "an ISO 8601 date".
    /// - Returns: nil, for use in a `return` statement.
    @inline(never) public mutating func invalid<Value>(
        at place: Int, _ code: JSONIssue.Code = .invalidValue, expected: @autoclosure () -> String
    ) -> Value? {
        let place = max(0, min(place, end - base))
        note(JSONNote(offset: place, code: code, expected: expected()))
        return nil
    }

    /// Notes that another kind of value was expected, and skips the one at the cursor.
    ///
    /// - Returns: nil, for use in a `return` statement.
    @inline(never) public mutating func mismatch<Value>(expected: @autoclosure () -> String) -> Value? {
        noteMismatch(with: expected())
        return nil
    }
}
