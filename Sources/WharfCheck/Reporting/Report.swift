/// A form in which findings are told, as they come.
protocol Report {
    mutating func begin(_ output: Output) throws
    /// A new input.
    mutating func begin(_ input: String, _ output: Output) throws
    /// A document of which there is something to say.
    ///
    /// - Parameters:
    ///   - shown: those of its findings that there is room for.
    ///   - line: of the input, where each line is a document.
    mutating func document(_ document: CheckedDocument, shown: [Finding], line: Int?, _ output: Output) throws
    /// So many documents have no errors, among them those of which there was something to say.
    mutating func good(_ count: Int, _ output: Output) throws
    /// The input, or what is left of it, can't be read.
    mutating func unread(_ reason: String, _ output: Output) throws
    /// The end of the input.
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
