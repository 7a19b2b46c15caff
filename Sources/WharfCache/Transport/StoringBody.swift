internal import Synchronization
import WharfCore

/// Hands a body to its reader, piece by piece, and stores each piece on the way.
///
/// The response is committed before the reader sees the end, and abandoned when the body fails,
/// ends at another length than announced, or the reader leaves.
final class StoringBody: BodyStream.Producer {
    /// Where the body is stored.
    struct Sink: Sendable {
        let writer: any CacheWriter
        let key: CacheKey
        let passage: InvalidationFence.Passage
        let cache: CachingTransport
    }

    private struct State {
        /// Read from upstream, and not handed on yet.
        var pending: ArraySlice<[UInt8]>
        /// Nil once its end was seen.
        var upstream: BodyStream?
        var sink: Sink?
        var count: Int64 = 0
    }

    private let state: Mutex<State>
    private let length: Int64?

    /// - Parameters:
    ///   - start: what was read of the body already.
    ///   - length: as announced.
    init(_ start: WholeBody?, rest: BodyStream, length: Int64?, into sink: Sink?) {
        let upstream = start?.isComplete == true ? nil : rest
        self.state = Mutex(State(pending: (start?.chunks ?? [])[...], upstream: upstream, sink: sink))
        self.length = length
    }

    func next() async throws(TransportError) -> [UInt8]? {
        let (pending, upstream) = state.withLock { ($0.pending.popFirst(), $0.upstream) }
        if let pending {
            await keep(pending)
            return pending
        }
        guard let upstream else { return nil }
        do {
            var iterator = upstream.makeAsyncIterator()
            if let chunk = try await iterator.next(isolation: nil) {
                await keep(chunk)
                return chunk
            }
            try TransportError.requireLength(length, found: state.withLock { $0.count })
        } catch {
            cancel()
            throw error
        }
        await finish()
        return nil
    }

    /// Stores and commits what is here already, which the reader gets later.
    func drain() async {
        let chunks = state.withLock { $0.pending }
        for chunk in chunks { await keep(chunk) }
        await finish()
    }

    func cancel() {
        let (sink, upstream) = state.withLock { state in
            defer { (state.sink, state.upstream) = (nil, nil) }
            return (state.sink, state.upstream)
        }
        sink?.writer.abandon()
        // Letting go of it closes the connection; not under the lock.
        withExtendedLifetime(upstream) {}
    }

    private func keep(_ chunk: [UInt8]) async {
        let sink = state.withLock { state in
            state.count += Int64(chunk.count)
            return state.sink
        }
        guard let sink else { return }
        do {
            try await sink.writer.append(chunk)
        } catch {
            state.withLock { $0.sink = nil }
            sink.writer.abandon()
            sink.cache.report(error, "keep", sink.key.target)
        }
    }

    private func finish() async {
        let sink = state.withLock { state in
            state.upstream = nil
            defer { state.sink = nil }
            return state.sink
        }
        guard let sink else { return }
        await sink.cache.commit(sink.writer, sink.key, sink.passage)
    }
}
