import WharfCore

/// The beginning of a body, buffered before any of it is delivered. A short body is complete.
struct WholeBody: Sendable {
    private(set) var chunks: [[UInt8]] = []
    /// Whether the end was reached, at the announced length.
    private(set) var isComplete = false

    /// Reads until the end or beyond `limit`, if that comes first.
    ///
    /// - Throws: the errors of the body, and ``TransportError/Code/connectionLost`` if it ends at
    ///   another length than announced.
    init(_ body: BodyStream, length: Int64?, limit: Int) async throws(TransportError) {
        // A body that is announced longer streams from its first byte.
        guard length ?? 0 <= Int64(limit) else { return }
        var count = 0
        var iterator = body.makeAsyncIterator()
        while count <= limit {
            guard let chunk = try await iterator.next(isolation: nil) else {
                try TransportError.requireLength(length, found: Int64(count))
                isComplete = true
                return
            }
            count += chunk.count
            chunks.append(chunk)
        }
    }
}

extension TransportError {
    static func requireLength(_ announced: Int64?, found: Int64) throws(TransportError) {
        guard let announced, announced != found else { return }
        throw TransportError(
            .connectionLost, message: "the body ended after \(found) of \(announced) announced bytes"
        )
    }
}
