internal import Synchronization

extension RequestBody {
    /// Returns a body of a stream that can be read only once, such as a socket.
    ///
    /// Bytes and files do not need it. If the request must be sent again (a retry, a 307, a 401),
    /// it fails with ``TransportError/Code/bodyNotReplayable``. Otherwise it would be sent without
    /// its body.
    public static func once(_ stream: BodyStream) -> RequestBody {
        let isTaken = OnceFlag()
        return .stream(
            {
                guard isTaken.take() else { return stream }
                return .failing(
                    TransportError(
                        .bodyNotReplayable,
                        message: "the request has to be sent again, but its body can be sent only once; make the "
                            + "request anew, or give the body as bytes or as a file"))
            }, length: stream.expectedLength)
    }

    private final class OnceFlag: Sendable {
        private let isTaken = Atomic(false)
        /// Returns whether the stream was already taken, and marks it as taken.
        func take() -> Bool { isTaken.exchange(true, ordering: .relaxed) }
    }
}

extension BodyStream {
    /// Returns a body whose first read throws an error.
    package static func failing(_ error: TransportError) -> BodyStream { BodyStream(FailingBody(error)) }
}

private final class FailingBody: BodyStream.Producer {
    private let error: TransportError

    init(_ error: TransportError) { self.error = error }

    func next() async throws(TransportError) -> [UInt8]? { throw error }

    /// Does nothing: there is no work to cancel.
    func cancel() {}
}
