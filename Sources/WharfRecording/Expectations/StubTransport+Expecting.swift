internal import WharfChecks
public import WharfCore
public import WharfFakes

extension StubTransport {
    /// Answers what is expected. Where several expectations fit a request, the first that has not
    /// come often enough takes it.
    ///
    /// What was expected and has not come fails the test where it made this transport, at the
    /// latest when the transport is let go of; ``verify()`` says so earlier.
    ///
    /// - Parameter inOrder: whether requests have to come in the order of the expectations.
    public convenience init(
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(), expecting: [Expectation],
        inOrder: Bool = false, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        let place = CodePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        let book = OpenBook(ExpectationBook(expecting, inOrder: inOrder), nil, place)
        self.init(clock, timer, book) { request in await book.answer(request) }
    }

    /// For expectations that were recorded.
    ///
    /// - Parameter rules: done to each request before it is compared.
    convenience init(clock: any WallClock, expecting: [Expectation], redacting rules: Redaction, place: CodePlace) {
        let book = OpenBook(ExpectationBook(expecting, inOrder: false), rules, place)
        self.init(clock, ContinuousClock(), book) { request in await book.answer(request) }
    }
}
