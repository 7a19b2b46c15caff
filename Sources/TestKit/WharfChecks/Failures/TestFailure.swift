#if canImport(Testing)
internal import Testing
#endif

/// A location in a test's source.
package struct CodePlace: Sendable {
    let fileID: String
    let filePath: String
    let line: Int
    let column: Int

    package init(fileID: String, filePath: String, line: Int, column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}

extension CodePlace {
    /// Fails the running test at this location.
    ///
    /// For a detached task Swift Testing does not know the test. It then fails the run and names
    /// this location. Outside tests nothing happens.
    package func fail(_ message: String) {
        #if canImport(Testing)
        Issue.record(
            Comment(rawValue: message),
            sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
        #endif
    }
}
