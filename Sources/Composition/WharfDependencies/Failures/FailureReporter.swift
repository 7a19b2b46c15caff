/// A bridge to the testing library that runs the test.
///
/// `WharfChecks` has the one conformer; apps link neither it nor a testing library.
package protocol FailureReporter: SendableMetatype {
    /// Whether the process runs tests.
    static var isTesting: Bool { get }

    /// Fails the running test at its declaration.
    ///
    /// In a detached task, where no test is known, the failure has the given place.
    static func fail(_ message: String, at place: FailurePlace)

    /// Fails the running test at the given place, which may differ from the test's declaration.
    static func record(_ message: String, fileID: String, filePath: String, line: Int, column: Int)

    /// Fails the running test as ``fail(_:at:)`` does, and throws.
    ///
    /// The testing library does not record the thrown error again when it leaves the test. In a
    /// detached task of Swift Testing there is no such error, so the method fails the test and
    /// returns.
    static func failAndThrow(_ message: String, at place: FailurePlace) throws
}
