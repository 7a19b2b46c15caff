internal import Synchronization
internal import WharfCore

/// A body that is passed on as it is, and breaks off if its coding is broken.
final class CheckedBody: BodyStream.Producer {
    private struct State: ~Copyable {
        // One reader at a time calls `next`, so chunk and decoder belong together between two
        // locks.
        var decoder: BodyDecoder
        var count: Int64 = 0
    }

    private let coding: ContentCoding
    private let upstream: BodyStream
    private let state: Mutex<State>

    /// - Parameter upstream: the encoded body; this producer is its only reader.
    init(_ upstream: BodyStream, of coding: ContentCoding) {
        self.coding = coding
        self.upstream = upstream
        state = Mutex(State(decoder: BodyDecoder(coding)))
    }

    func next() async throws(TransportError) -> [UInt8]? {
        if let failure = state.withLock({ $0.decoder.failure }) { throw failure }
        var chunks = upstream.makeAsyncIterator()
        let chunk = try await chunks.next(isolation: #isolation)
        do throws(TransportError) {
            try await check(chunk)
        } catch {
            // The rest is no use, so its connection is closed.
            cancel()
            throw error
        }
        return chunk
    }

    func cancel() { upstream.producer?.cancel() }

    var trailers: HTTPFields? { upstream.trailers }

    private func check(_ chunk: [UInt8]?) async throws(TransportError) {
        if let chunk {
            state.withLock { state in
                state.count += Int64(chunk.count)
                state.decoder.feed(chunk)
            }
            while try state.withLock({ state throws(TransportError) in try state.decoder.take() }) != nil {
                // A small chunk may decode to gigabytes. Without a pause it would keep a thread of
                // the cooperative pool.
                guard !Task.isCancelled else { throw state.withLock { $0.decoder.fail(.cancelled) } }
                await Task.yield()
            }
        }
        try state.withLock { state throws(TransportError) in
            // A cache stores a response with its last announced byte, and not with its end.
            let isLast = chunk == nil || state.count == upstream.expectedLength
            // An empty body has no coding to end.
            if isLast, state.count > 0, !state.decoder.isAtEnd { throw state.decoder.fail(.unfinished(coding)) }
        }
    }
}

extension TransportError {
    fileprivate static func unfinished(_ coding: ContentCoding) -> TransportError {
        TransportError(
            .invalidResponse,
            message: "the body is complete, but its content coding \(coding.name) is not; correct the server, or send "
                + "Accept-Encoding: identity")
    }
}
