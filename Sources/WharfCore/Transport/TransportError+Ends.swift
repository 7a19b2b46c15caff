extension TransportError {
    package static var cancelled: TransportError { TransportError(.cancelled, message: "the task was cancelled") }

    package static func timedOut(after timeout: Duration) -> TransportError {
        TransportError(
            .timedOut, message: "expected the whole answer within \(timeout), but it was not complete by then")
    }

    /// The error of a request that is sent after the transport was closed.
    package static var closed: TransportError {
        TransportError(.cancelled, message: "the transport was closed; make a new one to read on")
    }
}
