/// The expectations of a ``StubTransport``.
///
/// `WharfRecording` conforms to it: expectations compare JSON and fail the running test, and this
/// module links neither a JSON reader nor a testing library.
package protocol RequestBook: Sendable {
    /// Ends the expectations: throws the requests that are missing and those that were not
    /// expected.
    func verify() throws(ExpectationFailure)

    /// Reports the missing requests to the running test. The transport calls it when it is
    /// released.
    func close()
}
