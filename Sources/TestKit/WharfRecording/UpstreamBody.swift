internal import Synchronization
internal import WharfCore

/// The body that another body passes on, until it is released.
final class UpstreamBody: Sendable {
    private let body: Mutex<BodyStream?>

    init(_ body: BodyStream) { self.body = Mutex(body) }

    /// - Throws: `cancelled` after the release: an end would look like a complete body.
    func next() async throws(TransportError) -> [UInt8]? {
        guard let body = body.withLock({ $0 }) else { throw .cancelled }
        var iterator = body.makeAsyncIterator()
        return try await iterator.next(isolation: nil)
    }

    var trailers: HTTPFields? { body.withLock { $0?.trailers } }

    func letGo() {
        let left = body.withLock { body in
            defer { body = nil }
            return body
        }
        // Releasing the body closes its connection, which must not happen under the lock.
        withExtendedLifetime(left) {}
    }
}
