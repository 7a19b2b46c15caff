internal import Synchronization
internal import WharfCore

/// The body that another one hands on, until that is left.
final class UpstreamBody: Sendable {
    private let body: Mutex<BodyStream?>

    init(_ body: BodyStream) { self.body = Mutex(body) }

    /// - Throws: `cancelled` once it was let go: an end would look like a whole body.
    func next() async throws(TransportError) -> [UInt8]? {
        guard let body = body.withLock({ $0 }) else { throw .cancelled }
        var iterator = body.makeAsyncIterator()
        return try await iterator.next(isolation: nil)
    }

    func letGo() {
        let left = body.withLock { body in
            defer { body = nil }
            return body
        }
        // This closes the connection; not under the lock.
        withExtendedLifetime(left) {}
    }
}
