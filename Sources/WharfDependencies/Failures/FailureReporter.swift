/// A bridge to the testing library that runs the test.
///
/// `WharfChecks` has the one conformer; apps link neither it nor a testing library.
package protocol FailureReporter: SendableMetatype {
    /// True in a process that runs tests.
    static var isTesting: Bool { get }

    /// Fails the running test at its declaration. In a detached task, where no test is known, the
    /// failure has the given place.
    static func fail(_ message: String, at place: FailurePlace)

    /// Fails the running test as ``fail(_:at:)`` does, and throws an error that the testing library
    /// does not record again when it leaves the test. It returns where there is no such error.
    static func failAndThrow(_ message: String, at place: FailurePlace) throws
}
