/// A place in the source at which the running test fails.
///
/// A module that is also used outside of tests reports by it, because `WharfChecks` would link the
/// testing libraries.
package struct TestPlace: Sendable {
    private let fileID: String
    private let filePath: String
    private let line: Int
    private let column: Int

    package init(fileID: String, filePath: String, line: Int, column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// Fails the running test at this place. Without `WharfChecks`, nothing happens.
    package func fail(_ message: String) {
        LinkedReporter.type?.record(message, fileID: fileID, filePath: filePath, line: line, column: column)
    }
}
