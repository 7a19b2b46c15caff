/// The reason that a check could not be started or finished.
struct CheckFailure: Error {
    let message: String
    let status: ProcessStatus

    init(_ message: String, _ status: ProcessStatus) {
        self.message = message
        self.status = status
    }

    init(_ failure: OutputFailure, _ status: ProcessStatus) { self.init(failure.message, status) }
}
