public import WharfCore
internal import WharfDependencies
public import WharfFakes

extension StubTransport {
    /// Creates a transport that answers expected requests.
    ///
    /// If several expectations match a request, the first one that is not used up takes it.
    ///
    /// A missing request fails the test at the line that created this transport, at the latest when
    /// the transport is released. ``verify()`` reports it earlier.
    ///
    /// - Parameter inOrder: whether requests must come in the order of the expectations.
    public convenience init(
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(), expecting: [Expectation],
        inOrder: Bool = false, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
        let book = OpenBook(ExpectationBook(expecting, inOrder: inOrder), nil, place)
        self.init(clock, timer, book) { request in await book.answer(request) }
    }

    /// Creates a transport for recorded expectations.
    ///
    /// - Parameter rules: are applied to each request before it is compared.
    convenience init(clock: any WallClock, expecting: [Expectation], redacting rules: Redaction, place: TestPlace) {
        let book = OpenBook(ExpectationBook(expecting, inOrder: false), rules, place)
        self.init(clock, ContinuousClock(), book) { request in await book.answer(request) }
    }
}
