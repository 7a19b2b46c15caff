internal import Synchronization
import WharfCore

/// A body that is stored piece by piece while its reader gets it.
///
/// The response is committed before the reader sees the end. It is abandoned if the body fails,
/// ends at another length than announced, or is released by the reader.
final class StoringBody: BodyStream.Producer {
    /// The destination of the stored body.
    struct Sink: Sendable {
        let writer: any CacheWriter
        let key: CacheKey
        let passage: InvalidationFence.Passage
        let cache: CachingTransport
    }

    private struct State {
        /// Pieces that were read from upstream and not delivered yet.
        var pending: ArraySlice<[UInt8]>
        /// The rest of the body; nil after its end.
        var upstream: BodyStream?
        var sink: Sink?
        var count: Int64 = 0
    }

    private let state: Mutex<State>
    private let length: Int64?

    /// - Parameters:
    ///   - start: the part of the body that was read already.
    ///   - length: the announced length.
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

    /// Stores and commits the pieces that were read already. The reader gets them later.
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
        // Releasing the stream closes its connection, which must not happen under the lock.
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
