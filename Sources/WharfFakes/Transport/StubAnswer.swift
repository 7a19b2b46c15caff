public import WharfCore

/// One answer of a ``StubTransport``.
public struct StubAnswer: Sendable {
    /// Nil when the answer is a failure before any head.
    public var head: HTTPResponse?
    public var chunks: [[UInt8]]
    /// Thrown in place of the head, or where there is one after the chunks.
    public var failure: TransportError?
    /// Held here before the head.
    public var gate: Gate?
    /// Held here before each chunk and before the end.
    public var bodyGate: Gate?

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

    public static func respond(
        _ status: HTTPResponse.Status = .ok, fields: HTTPFields = [:], _ body: String = ""
    ) -> StubAnswer {
        StubAnswer(
            head: HTTPResponse(status: status, headerFields: fields), chunks: body.isEmpty ? [] : [Array(body.utf8)]
        )
    }

    public static func ok(_ body: String, fields: HTTPFields = [:]) -> StubAnswer {
        respond(.ok, fields: fields, body)
    }

    public static func failure(_ error: TransportError) -> StubAnswer {
        StubAnswer(head: nil, failure: error)
    }

    public static func failure(_ code: TransportError.Code) -> StubAnswer {
        failure(TransportError(code, message: "scripted \(code)"))
    }

    /// The same answer, with its head held back until the gate opens.
    public func held(by gate: Gate) -> StubAnswer {
        var answer = self
        answer.gate = gate
        return answer
    }
}
