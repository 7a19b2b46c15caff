package import WharfCore

extension APIClient {
    /// Sends one read in one cache mode, checks its status, collects its body and decodes it.
    package func snapshot<Payload>(_ request: Request<Payload>, mode: CacheMode) async -> Snapshot<Payload> {
        do {
            return try await read(request, addressed(request), mode)
        } catch {
            return Snapshot(kept: nil, error: error)
        }
    }

    /// Reads the kept answer of the cache below, and returns the request that follows it.
    ///
    /// The request is addressed once.
    package func storedThenNetwork<Payload>(_ request: Request<Payload>) async -> StoredThenNetwork<Payload> {
        let addressed: TransportRequest
        do {
            addressed = try self.addressed(request)
        } catch {
            let failed = Snapshot<Payload>(kept: nil, error: error)
            return StoredThenNetwork(stored: failed) { _ in failed }
        }
        return await StoredThenNetwork { mode in
            do throws(ReadFailure) {
                return try await read(request, addressed, mode)
            } catch {
                return Snapshot(kept: nil, error: error)
            }
        }
    }

    private func read<Payload>(
        _ request: Request<Payload>, _ addressed: TransportRequest, _ mode: CacheMode
    ) async throws(ReadFailure) -> Snapshot<Payload> {
        let answer = try await collect(addressed, mode, request)
        guard let failure = answer.failure else {
            do {
                return try snapshot(request, addressed, answer, answer.provenance.failure.map(ReadFailure.init))
            } catch {
                // A stored response that can't be read counts as a cache miss. Otherwise it would
                // hide a better answer from the network until it is stale.
                let isKeptAlone = answer.provenance.source == .httpCache && answer.provenance.failure == nil
                let unreadable: [ReadFailure.Code] = [.noData, .undecodable, .unmappable]
                guard mode == .normal, isKeptAlone, unreadable.contains(error.code) else { throw error }
                // `.bypass` skips the stored response, so this recursion ends with the network's
                // answer.
                return try await read(request, addressed, .bypass)
            }
        }
        // The body broke off after a good head. The cache below had already passed that head on, so
        // it could not fall back itself. The second request is sent only if there is a cache:
        // without one it would go to the network.
        let mayFallBack = mode == .normal || mode == .reload
        let hasCache = answer.provenance.cacheStatus != nil && answer.provenance.source == .network
        guard mayFallBack, hasCache, failure.code != .cancelled else { throw failure }
        do {
            // The caller has released the broken body by now, so its connection is free.
            let kept = try await collect(addressed, .storedOnly, request)
            guard kept.failure == nil else { throw failure }
            return try snapshot(request, addressed, kept, failure)
        } catch {
            // The reason for the broken body is more useful than the reason for the cache miss.
            throw failure
        }
    }

    /// A response with as much of its body as arrived.
    private struct CollectedResponse {
        let head: HTTPResponse
        let provenance: Provenance
        var body = Body.bytes([])
        /// The error with which the body broke off; nil for a complete body.
        var failure: ReadFailure?
    }

    /// Collects the body of an answer. The stream is released before this returns, even if the body
    /// was too large.
    private func collect<Payload>(
        _ addressed: TransportRequest, _ mode: CacheMode, _ request: Request<Payload>
    ) async throws(ReadFailure) -> CollectedResponse {
        let answer = try await send(addressed, mode: mode, explaining: request.decoding.explaining)
        var collected = CollectedResponse(head: answer.head, provenance: answer.provenance)
        do {
            collected.body = try await Body(
                answer.body, upTo: request.maximumBodyBytes, asJSON: request.decoding.readsJSON)
        } catch {
            collected.failure = ReadFailure(
                ReadFailure(error).code, message: "\(addressed.head.redacted()): \(error.message)", cause: error,
                response: answer.head
            )
        }
        return collected
    }

    private func snapshot<Payload>(
        _ request: Request<Payload>, _ addressed: TransportRequest, _ answer: CollectedResponse, _ failure: ReadFailure?
    ) throws(ReadFailure) -> Snapshot<Payload> {
        let provenance = answer.provenance
        var place = addressed.head.redacted()
        if let failure = provenance.failure {
            place += " (a stored response, used after this failure: \(failure.message))"
        }
        let value = try request.decoding.decode(answer.body, answer.head, from: place)
        let kept = Snapshot<Payload>.Kept(
            value: value, source: provenance.source, asOf: provenance.asOf, staleAt: provenance.staleAt,
            response: answer.head
        )
        return Snapshot(kept: kept, error: failure)
    }
}
