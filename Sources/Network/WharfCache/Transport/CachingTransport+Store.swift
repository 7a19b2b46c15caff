import WharfCore
import WharfPrimitives

extension CachingTransport {
    /// Returns the answer of the network, and stores it if there is a head.
    func deliver(
        _ answer: TransportResponse, as head: StoredHead?, _ request: RequestFacts, _ selected: Selected?,
        _ exchange: CacheExchange, _ reason: CacheStatus.Forward, _ passage: InvalidationFence.Passage
    ) async throws(TransportError) -> TransportResponse {
        var answer = answer
        var status = CacheStatus(hit: false, forward: reason, forwardStatus: answer.head.status.code, stored: false)
        let length = answer.head.announcedLength ?? answer.body.expectedLength
        let body = request.isHead ? .empty : answer.body

        // An error status is an answer that no stored response may mask. So there is no fallback if
        // its body breaks off.
        let isGuarded =
            !request.isHead && answer.head.status.code < 400
            && policy.standsIn(request, selected?.facts, exchange, .unreachable)
        var whole: WholeBody?
        if isGuarded {
            do {
                whole = try await WholeBody(body, length: length, limit: Self.wholeBodyLimit)
            } catch {
                var failed = exchange
                failed.respondedAt = clock.now()
                return try standIn(selected, request, failed, reason, for: error)
            }
        }
        let writer = await begin(head, request)
        status.stored = writer != nil
        date(&answer, by: answer.head, exchange, status)

        if writer != nil || whole != nil {
            let storing = StoringBody(
                whole, rest: body, length: length,
                into: writer.map { StoringBody.Sink(writer: $0, key: request.key, passage: passage, cache: self) }
            )
            // A complete body is committed now, so that it is stored even if the reader stops
            // early.
            if whole?.isComplete == true { await storing.drain() }
            answer.body = BodyStream(storing, expectedLength: answer.body.expectedLength)
        }
        return answer
    }

    private func begin(_ head: StoredHead?, _ request: RequestFacts) async -> (any CacheWriter)? {
        guard let head else { return nil }
        do {
            return try await store.begin(request.key, head)
        } catch {
            report(error, "keep", request.key.target)
            return nil
        }
    }

    /// Commits a complete response, unless it is outdated. It is outdated if its target was
    /// invalidated since the request (RFC 9111 §4.4), or the answer to a later request was stored.
    func commit(_ writer: any CacheWriter, _ key: CacheKey, _ passage: InvalidationFence.Passage) async {
        guard passage.isOpen else { return writer.abandon() }
        do {
            let id = try await writer.commit()
            // An invalidation between the two checks removed the stored responses before this
            // commit.
            guard passage.isOpen else { return await remove(id, under: key) }
            passage.overtake()
        } catch {
            report(error, "keep", key.target)
        }
    }
}

extension HTTPResponse {
    /// The announced length of the body; nil if the fields give none or contradict each other.
    fileprivate var announcedLength: Int64? {
        guard status.code != 304, let value = headerFields[.contentLength] else { return nil }
        let members = Set(FieldList.members(value))
        guard members.count == 1, let length = members.first else { return nil }
        return Int64(length).flatMap { $0 >= 0 ? $0 : nil }
    }
}
