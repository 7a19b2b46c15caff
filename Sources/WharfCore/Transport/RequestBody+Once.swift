internal import Synchronization

extension RequestBody {
    /// A stream that can be made only once: what comes from a microphone or a socket. A file or
    /// bytes need no such care.
    ///
    /// Where the request has to be sent again (a retry, a 307, a 401), it fails with
    /// ``TransportError/Code/bodyNotReplayable`` in place of being sent without its body.
    public static func once(_ stream: BodyStream) -> RequestBody {
        let isTaken = Taken()
        return .stream(
            {
                guard isTaken.take() else { return stream }
                return .failing(
                    TransportError(
                        .bodyNotReplayable,
                        message: "expected a body that can be sent again, as the request has to be, found one that was "
                            + "made to be sent once; make the request anew, or give the body as bytes or as a file"))
            }, length: stream.expectedLength)
    }

    private final class Taken: Sendable {
        private let isTaken = Atomic(false)
        /// Whether it was taken before.
        func take() -> Bool { isTaken.exchange(true, ordering: .relaxed) }
    }
}

extension BodyStream {
    /// A body that can't be read.
    package static func failing(_ error: TransportError) -> BodyStream { BodyStream(FailingBody(error)) }
}

private final class FailingBody: BodyStream.Producer {
    private let error: TransportError

    init(_ error: TransportError) { self.error = error }

    func next() async throws(TransportError) -> [UInt8]? { throw error }

    /// Nothing is under way.
    func cancel() {}
}
