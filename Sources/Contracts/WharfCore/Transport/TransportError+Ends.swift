extension TransportError {
    package static var cancelled: TransportError { TransportError(.cancelled, message: "the task was cancelled") }

    package static func timedOut(after timeout: Duration) -> TransportError {
        TransportError(
            .timedOut,
            message: "the response was not complete within the timeout of \(timeout); try again, or raise the timeout")
    }

    /// The error of a request that is sent after the transport was closed.
    package static var closed: TransportError {
        TransportError(.cancelled, message: "the transport was closed; make a new one to send requests")
    }
}
