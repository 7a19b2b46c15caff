import WharfCore

extension TransportResponse {
    /// The response with another way to read its body.
    func reading(
        _ next: @escaping @Sendable (BodyStream) async throws(TransportError) -> [UInt8]?,
        letGo: @escaping @Sendable () -> Void = {}
    ) -> TransportResponse {
        var response = self
        response.body = BodyStream(WrongBody(base: body, next: next, letGo: letGo))
        return response
    }
}

extension BodyStream {
    func piece() async throws(TransportError) -> [UInt8]? {
        var iterator = makeAsyncIterator()
        return try await iterator.next(isolation: nil)
    }
}

private final class WrongBody: BodyStream.Producer {
    private let base: BodyStream
    private let read: @Sendable (BodyStream) async throws(TransportError) -> [UInt8]?
    private let letGo: @Sendable () -> Void

    init(
        base: BodyStream, next: @escaping @Sendable (BodyStream) async throws(TransportError) -> [UInt8]?,
        letGo: @escaping @Sendable () -> Void
    ) {
        (self.base, self.read, self.letGo) = (base, next, letGo)
    }

    func next() async throws(TransportError) -> [UInt8]? { try await read(base) }
    func cancel() { letGo() }
}
