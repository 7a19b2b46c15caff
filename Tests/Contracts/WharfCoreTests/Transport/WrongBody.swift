import WharfCore

extension TransportResponse {
    /// The response with another way to read its body.
    func reading(
        _ next: @escaping @Sendable (BodyStream) async throws(TransportError) -> [UInt8]?,
        letGo: @escaping @Sendable () -> Void = {}
    ) -> TransportResponse {
        reading(next, trailers: { $0.trailers }, letGo: letGo)
    }

    /// The response with other trailers.
    func trailed(_ trailers: @escaping @Sendable (HTTPFields?) -> HTTPFields?) -> TransportResponse {
        reading(
            { (body) async throws(TransportError) in try await body.piece() }, trailers: { trailers($0.trailers) },
            letGo: {})
    }

    private func reading(
        _ next: @escaping @Sendable (BodyStream) async throws(TransportError) -> [UInt8]?,
        trailers: @escaping @Sendable (BodyStream) -> HTTPFields?, letGo: @escaping @Sendable () -> Void
    ) -> TransportResponse {
        var response = self
        response.body = BodyStream(WrongBody(base: body, next: next, trailers: trailers, letGo: letGo))
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
    private let readTrailers: @Sendable (BodyStream) -> HTTPFields?
    private let letGo: @Sendable () -> Void

    init(
        base: BodyStream, next: @escaping @Sendable (BodyStream) async throws(TransportError) -> [UInt8]?,
        trailers: @escaping @Sendable (BodyStream) -> HTTPFields?, letGo: @escaping @Sendable () -> Void
    ) {
        (self.base, self.read, self.readTrailers, self.letGo) = (base, next, trailers, letGo)
    }

    var trailers: HTTPFields? { readTrailers(base) }

    func next() async throws(TransportError) -> [UInt8]? { try await read(base) }
    func cancel() { letGo() }
}
