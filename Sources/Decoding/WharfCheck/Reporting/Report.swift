/// A report format, written as the findings come.
protocol Report {
    mutating func begin(_ output: Output) throws
    /// Begins a new input.
    mutating func begin(_ input: String, _ output: Output) throws
    /// Reports a document that has findings or a printed value.
    ///
    /// - Parameters:
    ///   - shown: the findings below the limit.
    ///   - line: the document's line in the input, if each line is a document.
    mutating func document(_ document: CheckedDocument, shown: [Finding], line: Int?, _ output: Output) throws
    /// Counts documents without errors, including those passed to `document`.
    mutating func good(_ count: Int, _ output: Output) throws
    /// Reports that the input, or the rest of it, can't be read.
    mutating func unread(_ reason: String, _ output: Output) throws
    /// Ends the input.
    mutating func end(_ output: Output) throws
    mutating func finish(_ totals: Totals, _ output: Output) throws
}

extension CheckArguments.Format {
    func report(_ typeName: String, _ arguments: CheckArguments) -> any Report {
        switch self {
        case .text: TextReport(printsValues: arguments.options.printsValues)
        case .json: JSONReport(typeName: typeName)
        case .sarif: SARIFReport()
        case .junit: JUnitReport(typeName: typeName)
        }
    }
}
