package import WharfCore

extension APIClient {
    /// One read in one mode: sent, checked, collected, decoded.
    package func snapshot<Payload>(_ request: Request<Payload>, mode: CacheMode) async -> Snapshot<Payload> {
        do {
            return try await read(request, addressed(request), mode)
        } catch {
            return Snapshot(kept: nil, error: error)
        }
    }

    private func read<Payload>(
        _ request: Request<Payload>, _ addressed: TransportRequest, _ mode: CacheMode
    ) async throws(ReadFailure) -> Snapshot<Payload> {
        let answer = try await send(addressed, mode: mode)
        let bytes: [UInt8]
        do {
            bytes = try await answer.body.collect(upTo: request.maximumBodyBytes)
        } catch {
            let failure = ReadFailure(
                ReadFailure(error).code, message: error.message, cause: error, response: answer.head
            )
            return try await self.kept(request, addressed, mode, answer, after: failure)
        }
        let failure = answer.provenance.failure.map(ReadFailure.init)
        return try snapshot(request, addressed, answer, bytes, failure)
    }

    /// The kept answer in place of one that broke off. The cache could not give it: it had answered with the new head already.
    private func kept<Payload>(
        _ request: Request<Payload>, _ addressed: TransportRequest, _ mode: CacheMode, _ answer: TransportResponse,
        after failure: ReadFailure
    ) async throws(ReadFailure) -> Snapshot<Payload> {
        let mayFallBack = mode == .normal || mode == .reload
        // Without a cache below, the second request would go to the network.
        let hasCache = answer.provenance.cacheStatus != nil
        guard mayFallBack, hasCache, failure.code != .cancelled, answer.provenance.source == .network else {
            throw failure
        }
        do {
            let kept = try await send(addressed, mode: .storedOnly)
            let bytes = try await kept.body.collect(upTo: request.maximumBodyBytes)
            return try snapshot(request, addressed, kept, bytes, failure)
        } catch {
            throw failure
        }
    }

    private func snapshot<Payload>(
        _ request: Request<Payload>, _ addressed: TransportRequest, _ answer: TransportResponse, _ bytes: [UInt8],
        _ failure: ReadFailure?
    ) throws(ReadFailure) -> Snapshot<Payload> {
        let provenance = answer.provenance
        var place = addressed.head.redacted()
        if provenance.source == .httpCache { place += " (kept; the policy networkOnly asks for a new one)" }
        let value = try request.decoding.decode(bytes, answer.head, from: place)
        let kept = Snapshot<Payload>.Kept(
            value: value, source: provenance.source, asOf: provenance.asOf, staleAt: provenance.staleAt,
            response: answer.head
        )
        return Snapshot(kept: kept, error: failure)
    }
}
