/// What fails the running test. `WharfChecks` has the one conformer; apps link neither it nor a testing library.
package protocol FailureReporter: SendableMetatype {
    /// True in a process that runs tests.
    static var isTesting: Bool { get }

    /// Fails the test that runs, at the place given or at the test itself.
    static func fail(_ message: String, filePath: StaticString, line: UInt)
}
