internal import Synchronization
import WharfCore
import WharfStorage

/// A body that is stored piece by piece while its reader gets it.
///
/// The response is committed before the reader sees the end, which is the last byte if the length
/// was announced. The body may also fail, end at another length than announced, or be released by
/// the reader. ``CachingTransport/endEarly(_:after:_:)`` then stores its bytes as a part, or
/// abandons them. Nothing is left of a body that the reader rejects.
final class StoringBody: RejectableProducer {
    /// The destination of the stored body.
    struct Sink: Sendable {
        let writer: any CacheWriter
        let key: CacheKey
        let inFlight: InvalidationFence.InFlightRequest
        let cache: CachingTransport
        /// nil if there is no handler.
        var event: StorageEvent?
        /// nil if the bytes of a broken body are never stored.
        var breakable: BreakableAnswer?
    }

    /// The part of the body that was not read yet.
    private enum Rest {
        case open(BodyStream)
        case ended
        /// The body was cancelled or failed. Each later read throws the error, because nil would
        /// make the body look complete.
        case failed(TransportError)
    }

    // Invariants: a piece is in `pending` or delivered. `sink` and the stream in `rest` are taken
    // out by the transition that ends them, so a writer is committed at most once. While
    // `isWriting`, an append is running: `sink` stays, and the end of the append takes it out.
    private struct State {
        /// Pieces that were read from upstream and not delivered yet.
        var pending: ArraySlice<[UInt8]>
        /// Whether the pending pieces were read ahead. The writer has them already.
        var isReadAhead = false
        var rest: Rest
        var sink: Sink?
        var count: Int64 = 0
        /// The number of bytes that the writer has. `count` has also those that it is being given.
        var written: Int64 = 0
        var isWriting = false
        /// The failure that came during an append.
        var interruption: TransportError?
        /// Removes the committed response.
        var removal: (@Sendable () async -> Void)?
        /// Taken from the stream before it is released. They are passed on and not stored.
        var trailers: HTTPFields?
    }

    private let state: Mutex<State>
    private let length: Int64?
    /// The producer of the stream in `rest`. It is asked after the stream's release too.
    private let source: (any RejectableProducer)?

    /// - Parameters:
    ///   - start: the part of the body that was read already.
    ///   - length: the announced length.
    init(_ start: WholeBody?, rest: BodyStream, length: Int64?, into sink: Sink?) {
        // After a complete start nothing is left to read.
        let restOfBody = start?.isComplete == true ? Rest.ended : .open(rest)
        self.state = Mutex(
            State(pending: (start?.chunks ?? [])[...], rest: restOfBody, sink: sink, trailers: rest.trailers))
        self.length = length
        self.source = rest.producer as? any RejectableProducer
    }

    func next() async throws(TransportError) -> [UInt8]? {
        let (pending, isKept) = state.withLock { state in
            let piece = state.pending.popFirst()
            // A slice keeps the whole array, and would hold the delivered pieces until the end.
            if state.pending.isEmpty { state.pending = [] }
            return (piece, state.isReadAhead)
        }
        guard let pending else { return try await readOn() }
        if !isKept { await keep(pending) }
        return pending
    }

    /// Reads and stores the next piece, and commits the response at the end.
    private func readOn() async throws(TransportError) -> [UInt8]? {
        let upstream: BodyStream
        switch state.withLock({ $0.rest }) {
        case .open(let stream): upstream = stream
        case .ended: return nil
        case .failed(let error): throw error
        }
        do {
            var iterator = upstream.makeAsyncIterator()
            if let chunk = try await iterator.next(isolation: nil) {
                await keep(chunk)
                // A reader that counts the bytes may leave with the last one.
                if state.withLock({ $0.count }) == length { await readEnd(of: upstream) }
                return chunk
            }
            try end(upstream)
        } catch {
            await fail(error)
            throw error
        }
        await finish()
        return nil
    }

    /// Reads the end of a body whose announced bytes are all there.
    ///
    /// Later bytes, or a failure in place of the end, are thrown by the next read.
    private func readEnd(of upstream: BodyStream) async {
        do {
            var iterator = upstream.makeAsyncIterator()
            let more = try await iterator.next(isolation: nil)
            try end(upstream, after: more?.count ?? 0)
        } catch {
            return await fail(error)
        }
        await finish()
    }

    /// Checks the length before the commit. A body that was cut must not be stored as complete
    /// (RFC 9111 §3.3).
    private func end(_ upstream: BodyStream, after surplus: Int = 0) throws(TransportError) {
        try TransportError.requireLength(length, found: state.withLock { $0.count } + Int64(surplus))
        let trailers = upstream.trailers
        state.withLock { $0.trailers = trailers }
    }

    /// Stores and commits the pieces that were read already. The reader gets them later.
    func drain() async {
        let chunks = state.withLock { $0.pending }
        for chunk in chunks { await keep(chunk) }
        await finish()
    }

    /// Reads and stores the body before its reader asks for it. Call it before the first read, and
    /// without a start.
    ///
    /// It ends at the end of the body, beyond `limit` bytes, or when no request waits for the
    /// leader. A failure is the leader's, and the reader gets it after the pieces before it.
    func readAhead(upTo limit: Int, for leader: CollapsedRequests.Leader) async {
        guard length ?? 0 <= Int64(limit) else { return }
        state.withLock { $0.isReadAhead = true }
        do {
            while state.withLock({ $0.count <= Int64(limit) }), leader.isAwaited, let piece = try await readOn() {
                state.withLock { $0.pending.append(piece) }
            }
        } catch {
            leader.fail(error)
        }
    }

    /// Whether the body was read to its end.
    var hasEnded: Bool {
        if case .ended = state.withLock({ $0.rest }) { return true }
        return false
    }

    func cancel() {
        guard let (sink, written) = end(by: .abandonedBody) else { return }
        sink.cache.endEarlyInBackground(sink, after: written, .abandonedBody)
    }

    func reject(_ error: TransportError) async {
        if let (sink, _) = end(by: error) { sink.abandon(error) }
        let removal = state.withLock { state in
            defer { state.removal = nil }
            return state.removal
        }
        await source?.reject(error)
        await removal?()
    }

    var trailers: HTTPFields? { state.withLock { $0.trailers } }

    /// Ends the body, unless it has ended, and stores its bytes before the reader gets the error.
    /// Its next request must find them.
    private func fail(_ error: TransportError) async {
        guard let (sink, written) = end(by: error) else { return }
        await endEarly(sink, after: written, error)
    }

    private func endEarly(_ sink: Sink, after written: Int64, _ error: TransportError) async {
        // A cancelled reader must not wait for the store.
        guard error.code != .cancelled else {
            return sink.cache.endEarlyInBackground(sink, after: written, error)
        }
        await sink.cache.endEarly(sink, after: written, error)
    }

    /// - Returns: the sink and the number of bytes that its writer has; nil if another call has
    ///   ended it or will do so.
    private func end(by error: TransportError) -> (Sink, Int64)? {
        let (ended, rest) = state.withLock { state -> ((Sink, Int64)?, Rest) in
            let rest = state.rest
            if case .open = state.rest { state.rest = .failed(error) }
            // A commit during the append would store a part without bytes that its head announces.
            guard !state.isWriting else {
                state.interruption = error
                return (nil, rest)
            }
            // Under the lock, so that a concurrent `finish` finds no sink.
            defer { state.sink = nil }
            return (state.sink.map { ($0, state.written) }, rest)
        }
        // Releasing the stream closes its connection, which must not happen under the lock.
        withExtendedLifetime(rest) {}
        return ended
    }

    private func keep(_ chunk: [UInt8]) async {
        let sink = state.withLock { state in
            state.count += Int64(chunk.count)
            state.isWriting = state.sink != nil
            return state.sink
        }
        guard let sink else { return }
        do {
            try await sink.writer.append(chunk)
        } catch {
            let (written, interruption) = state.withLock { state in
                (state.sink, state.isWriting) = (nil, false)
                return (state.written, state.interruption)
            }
            // The writer has the bytes before this chunk.
            if error.code == .cancelled {
                return await endEarly(sink, after: written, interruption ?? .abandonedBody)
            }
            sink.writer.abandon()
            sink.cache.reportUnlessClosed(error, sink.key.target)
            sink.event?.end(.init(error))
            return
        }
        let interruption = state.withLock { state in
            state.isWriting = false
            state.written += Int64(chunk.count)
            if state.interruption != nil { state.sink = nil }
            return state.interruption.map { ($0, state.written) }
        }
        guard let (error, written) = interruption else { return }
        await endEarly(sink, after: written, error)
    }

    /// Commits the response before the reader sees the end. Its next request must find it.
    private func finish() async {
        let sink = state.withLock { state in
            state.rest = .ended
            defer { state.sink = nil }
            return state.sink
        }
        guard let sink else { return }
        let byteCount = state.withLock { $0.count }
        let id = await sink.cache.commit(sink.writer, sink.key, sink.inFlight, sink.event, byteCount)
        guard let id else { return }
        state.withLock { state in
            state.removal = { [cache = sink.cache, key = sink.key] in
                await cache.remove(id, under: key, because: .invalid)
            }
        }
    }
}

extension TransportError {
    fileprivate static var abandonedBody: TransportError {
        TransportError(.cancelled, message: "the reader abandoned the body before its end")
    }
}
