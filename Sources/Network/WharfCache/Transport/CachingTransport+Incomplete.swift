import WharfCore
import WharfPrimitives
import WharfStorage

extension CachingTransport {
    /// Stores the bytes of a body that broke off as a part, if the policy does (RFC 9111 §3.3).
    /// Otherwise it abandons them.
    ///
    /// - Parameters:
    ///   - count: the number of bytes of the body that the writer has.
    ///   - failure: the error that the reader gets.
    func endEarly(_ sink: StoringBody.Sink, after count: Int64, _ failure: TransportError) async {
        // Bytes that break a rule are not the beginning of a valid response.
        guard failure.code != .invalidResponse, sink.mayKeep(count), let answer = sink.breakable else {
            return sink.abandon(failure)
        }
        // A store refuses the writes of a cancelled task, and cancellation is one of the failures.
        await finishing { [self] in
            do throws(StoreError) {
                guard let (id, head) = try await commitPart(count, of: answer, sink) else {
                    return sink.abandon(failure)
                }
                // As after a complete response: the target was invalidated since the check, or the
                // commit has replaced a newer response.
                if !sink.inFlight.isOpen {
                    await remove(id, under: sink.key)
                    sink.event?.end(.outdated)
                }
                sink.event?.end(stored: count, as: head.response.status, after: failure)
            } catch {
                sink.writer.abandon()
                // The commit may be done in spite of the error, under an unknown id.
                if !sink.inFlight.isOpen { await removeVariants(under: sink.key) }
                reportUnlessClosed(error, sink.key.target)
                sink.event?.end(.init(error))
            }
        }
    }

    /// Stores the bytes in the background, because their reader has left.
    func endEarlyInBackground(_ sink: StoringBody.Sink, after count: Int64, _ failure: TransportError) {
        // Without a task: the event of an abandoned body comes before its release returns.
        guard sink.mayKeep(count) else { return sink.abandon(failure) }
        endings.enter()
        Task { [self] in
            await endEarly(sink, after: count, failure)
            endings.leave()
        }
    }

    /// Waits until no part of an abandoned body is being stored.
    package func abandonedBodiesEnd() async { await endings.wait() }

    /// - Returns: nil if the stored response stays.
    private func commitPart(
        _ count: Int64, of answer: BreakableAnswer, _ sink: StoringBody.Sink
    ) async throws(StoreError) -> (StoredResponse.ID, StoredHead)? {
        let before = (sink.writer as? CombiningWriter)?.before ?? 0
        // Looked up now, as in `beginPart`: a complete response may have been stored meanwhile.
        let decision: @Sendable ([StoredResponse]) -> (stored: StoredResponse?, part: IncompletePart)? = {
            [policy, memo] variants in
            let index = variants.firstIndex { $0.head.varying == answer.head.varying }
            let part = policy.part(
                count, of: answer, after: before, beside: index.map { memo.facts(variants, $0) },
                length: index.map { variants[$0].length } ?? 0)
            return part.map { (index.map { variants[$0] }, $0) }
        }
        let found = try await store.lookup(sink.key) { variants in
            guard case (let stored?, let part)? = decision(variants), part.after > 0 else { return nil }
            return CacheSelection(id: stored.id, part: stored.length - part.after...stored.length - 1)
        }
        guard let (_, part) = decision(found.variants) else { return nil }
        if part.after > 0 {
            // The stored bytes were damaged. The store has removed and reported them.
            guard let body = found.body else { return nil }
            try await append(body, of: part.after, to: sink.writer)
        }
        return (try await sink.writer.commit(as: part.head), part.head)
    }

    private func append(
        _ body: BodyStream, of length: Int64, to writer: any CacheWriter
    ) async throws(StoreError) {
        var left = length
        var iterator = body.makeAsyncIterator()
        while true {
            let piece: [UInt8]?
            do throws(TransportError) {
                piece = try await iterator.next(isolation: nil)
            } catch {
                throw .unreadablePart(error)
            }
            guard let piece else { break }
            left -= Int64(piece.count)
            try await writer.append(piece)
        }
        // Fewer bytes under a head that announces them would be a wrong body.
        if left != 0 {
            throw .unreadablePart(
                TransportError(.connectionLost, message: "the stored body ended before its announced length"))
        }
    }
}

extension StoringBody.Sink {
    /// Whether the bytes of a body that broke off may be stored.
    fileprivate func mayKeep(_ count: Int64) -> Bool {
        // Unlike a complete answer, these bytes close no older request: a complete answer is worth
        // more than a newer part.
        breakable != nil && count >= CachePolicy.shortestPart && inFlight.isOpen
    }

    func abandon(_ failure: TransportError) {
        writer.abandon()
        event?.end(failure)
    }
}
