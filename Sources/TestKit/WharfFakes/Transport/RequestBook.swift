/// The expectations of a ``StubTransport``.
///
/// `WharfRecording` has the conformer. Expectations compare JSON and fail the running test, but
/// this module links neither a JSON reader nor a testing library.
package protocol RequestBook: Sendable {
    /// Ends the expectations, and throws the missing and the unexpected requests.
    func verify() throws(ExpectationFailure)

    /// Reports the missing requests to the running test.
    ///
    /// The transport calls it when it is released.
    func close()
}
