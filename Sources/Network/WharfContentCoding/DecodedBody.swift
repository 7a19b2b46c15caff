internal import Synchronization
internal import WharfCore

/// A body that decodes one coding of another body.
///
/// It reads the next chunk only after all bytes of the last one are decoded and delivered, so the
/// reader applies back-pressure to both. It ends when both the other body and the coding have
/// ended: a truncated body never looks complete.
final class DecodedBody: RejectableProducer {
    private struct State: ~Copyable {
        // One reader at a time calls `next`, so chunk and decoder belong together between two
        // locks.
        var decoder: BodyDecoder
        var isAtEnd = false
    }

    private let coding: ContentCoding
    private let upstream: BodyStream
    private let state: Mutex<State>

    /// - Parameter upstream: the encoded body; this producer is its only reader.
    init(_ upstream: BodyStream, without coding: ContentCoding) {
        self.coding = coding
        self.upstream = upstream
        state = Mutex(State(decoder: BodyDecoder(coding)))
    }

    func next() async throws(TransportError) -> [UInt8]? {
        var chunks = upstream.makeAsyncIterator()
        while true {
            // First the bytes that are left of the last chunk: memory stays bounded by one chunk.
            if let piece = try await decoded() { return piece }
            if state.withLock({ $0.isAtEnd }) { return nil }
            // The lock is not held during the wait.
            let chunk = try await chunks.next(isolation: #isolation)
            do throws(TransportError) {
                try take(chunk)
            } catch {
                // A cache below has stored the body as complete.
                await reject(error)
                throw error
            }
        }
    }

    private func take(_ chunk: [UInt8]?) throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            if let chunk {
                state.decoder.feed(chunk)
            } else if state.decoder.isAtEnd {
                // The coding's own end marks the body as complete. Without it a cut body would look
                // complete.
                state.isAtEnd = true
                state.decoder.end()
            } else {
                throw state.decoder.fail(.cut(coding))
            }
        }
    }

    func cancel() { upstream.producer?.cancel() }

    func reject(_ error: TransportError) async { await upstream.reject(error) }

    var trailers: HTTPFields? { upstream.trailers }

    private func decoded() async throws(TransportError) -> [UInt8]? {
        do throws(TransportError) {
            return try state.withLock { state throws(TransportError) in try state.decoder.take() }
        } catch {
            // The rest can't be decoded, so its connection is closed. A cache below would keep the
            // bytes otherwise, and its next answers would fail at the same byte.
            await reject(error)
            throw error
        }
    }
}

extension TransportError {
    fileprivate static func cut(_ coding: ContentCoding) -> TransportError {
        TransportError(
            .connectionLost,
            message: "the body ended in the middle of its content coding \(coding.name), so a part of it is missing; "
                + "send the request again")
    }
}
