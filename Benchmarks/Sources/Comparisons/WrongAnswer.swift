/// An unexpected result of a benchmark.
public struct WrongAnswer: Error {
    /// The expected result.
    public let expected: String
    /// The found result.
    public let found: String

    /// Creates an error from the expected and the found result.
    public init(expected: String, found: String) {
        self.expected = expected
        self.found = found
    }
}
