import WharfCore
import WharfStorage

extension CachingTransport {
    /// Returns the answer of the network, and stores it if there is a head.
    ///
    /// If other requests wait for the response, its body is read ahead of its reader, up to
    /// ``wholeBodyLimit``. A longer body streams, and the waiting requests are sent.
    ///
    /// - Parameter forwardStatus: the status from the origin. It is 206 if the answer was completed
    ///   by a stored part.
    func deliver(
        _ answer: TransportResponse, as head: StoredHead?, _ request: RequestFacts, _ selected: Selected?,
        _ exchange: CacheExchange, _ reason: CacheStatus.Forward, _ forwardStatus: Int,
        _ inFlight: InvalidationFence.InFlightRequest, leading leader: CollapsedRequests.Leader?
    ) async throws(TransportError) -> TransportResponse {
        // Before the body: requests that can't use the answer must not wait for it.
        let usability = usability(of: head, at: exchange.respondedAt)
        let isAwaited = leader?.answer(isLasting: answer.head.status.code < 400, usability) ?? false
        var answer = answer
        var status = CacheStatus(hit: false, forward: reason, forwardStatus: forwardStatus, stored: false)
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
                leader?.fail(error)
                var failed = exchange
                // The body broke off later than the head arrived, and the age of the stored
                // response counts from then.
                failed.respondedAt = clock.now()
                return try standIn(selected, request, failed, reason, for: error)
            }
        }
        if head == nil { reportRefusal(request, answer.head) }
        // After the buffering: a body that broke off leaves no writer behind.
        let writer = await begin(head, request, inFlight)
        status.stored = writer != nil
        if writer == nil { leader?.answerUnusable(isLasting: false) }
        date(&answer, by: answer.head, exchange, status)

        if writer != nil || whole != nil {
            let storing = StoringBody(
                whole, rest: body, length: length,
                into: writer.map {
                    StoringBody.Sink(
                        writer: $0, key: request.key, inFlight: inFlight, cache: self,
                        event: storageEvent(request, answer.head),
                        breakable: head.flatMap { policy.breakable($0, answer.head, to: request, reason) })
                }
            )
            // A complete body is committed now, so that it is stored even if the reader stops
            // early.
            if whole?.isComplete == true { await storing.drain() }
            if isAwaited, let leader { await finish(leader, storing, isRead: isGuarded) }
            answer.body = BodyStream(storing, expectedLength: answer.body.expectedLength)
        }
        return answer
    }

    /// Reads the body for the requests that wait for it, and ends their waits.
    ///
    /// - Parameter isRead: whether the beginning of the body was read.
    private func finish(_ leader: CollapsedRequests.Leader, _ body: StoringBody, isRead: Bool) async {
        if !isRead { await body.readAhead(upTo: Self.wholeBodyLimit, for: leader) }
        if body.hasEnded {
            leader.end()
        } else if leader.isAwaited {
            // The reader sets the pace of the rest, and may be slow.
            leader.answerUnusable(isLasting: true)
        } else {
            // All have left. A request that joins now is sent.
            leader.fail(.cancelled)
        }
    }

    private func begin(
        _ head: StoredHead?, _ request: RequestFacts, _ inFlight: InvalidationFence.InFlightRequest
    ) async -> (any CacheWriter)? {
        guard let head else { return nil }
        if head.response.status == .partialContent { return await beginPart(head, request, inFlight) }
        do {
            return try await store.begin(request.key, head)
        } catch {
            report(error, "keep", request.key.target)
            reportNotStored(.init(error), request, head)
            return nil
        }
    }

    /// Commits a complete response, unless it is outdated. It is outdated if its target was
    /// invalidated since the request (RFC 9111 §4.4), or the answer to a later request was stored.
    ///
    /// - Parameter byteCount: the length of the body, for the event.
    /// - Returns: the id of the stored response; nil if it is not stored.
    func commit(
        _ writer: any CacheWriter, _ key: CacheKey, _ inFlight: InvalidationFence.InFlightRequest,
        _ event: StorageEvent?, _ byteCount: Int64
    ) async -> StoredResponse.ID? {
        // Before the commit: an older response could otherwise replace this one between its commit
        // and the overtaking. If the commit fails, the older response is not stored either. The
        // reader has seen this one, and must not see the older one after it.
        guard inFlight.overtake() else {
            writer.abandon()
            event?.end(.outdated)
            return nil
        }
        do {
            let id = try await writer.commit()
            // Since the check the target was invalidated, or a newer response was stored, which
            // this one may have replaced. A miss is the only safe result.
            if !inFlight.isOpen {
                await remove(id, under: key)
                event?.end(.outdated)
                return nil
            }
            event?.end(stored: byteCount)
            return id
        } catch {
            // The commit of a cancelled task may be done in spite of the error, under an unknown
            // id.
            if !inFlight.isOpen { await removeVariants(under: key) }
            reportUnlessClosed(error, key.target)
            event?.end(.init(error))
            return nil
        }
    }
}
