public import WharfCore

/// An answer of a ``StubTransport``.
public struct StubAnswer: Sendable {
    /// The interim responses before the head, in order.
    public var interim: [HTTPResponse] = []
    /// The head; nil if the request fails before a head arrives.
    public var head: HTTPResponse?
    /// The chunks of the body.
    public var chunks: [[UInt8]]
    /// The fields after the body; nil as from a transport that drops them.
    public var trailers: HTTPFields? = HTTPFields()
    /// The error that is thrown after the chunks, or at once if there is no head.
    public var failure: TransportError?
    /// The gate at which the answer waits before its head.
    public var gate: Gate?
    /// The gate at which the body waits before each chunk and before its end.
    public var bodyGate: Gate?

    /// Creates an answer.
    public init(
        head: HTTPResponse?, chunks: [[UInt8]] = [], failure: TransportError? = nil, gate: Gate? = nil,
        bodyGate: Gate? = nil
    ) {
        self.head = head
        self.chunks = chunks
        self.failure = failure
        self.gate = gate
        self.bodyGate = bodyGate
    }

    /// Returns an answer with a status and a text.
    public static func respond(
        _ status: HTTPResponse.Status = .ok, fields: HTTPFields = [:], _ body: String = ""
    ) -> StubAnswer {
        StubAnswer(
            head: HTTPResponse(status: status, headerFields: fields), chunks: body.isEmpty ? [] : [Array(body.utf8)]
        )
    }

    /// Returns an answer with the status 200 and a text.
    public static func ok(_ body: String, fields: HTTPFields = [:]) -> StubAnswer {
        respond(.ok, fields: fields, body)
    }

    /// Returns a failure instead of an answer.
    public static func failure(_ error: TransportError) -> StubAnswer {
        StubAnswer(head: nil, failure: error)
    }

    /// Returns a failure with a code instead of an answer.
    public static func failure(_ code: TransportError.Code) -> StubAnswer {
        failure(TransportError(code, message: "scripted \(code)"))
    }

    /// Returns the same answer with its head held back until the gate opens.
    public func held(by gate: Gate) -> StubAnswer {
        var answer = self
        answer.gate = gate
        return answer
    }
}
