public import WharfCore

extension APIClient {
    /// What is known: the value, where it came from and how old it is, and the error that kept a
    /// newer one away. Never throws.
    ///
    /// - Parameter policy: nil for the client's default. ``ReadPolicy/cacheThenNetwork`` gives the
    ///   last of its answers, as ``ReadPolicy/networkFirst`` does; ``observe(_:)`` gives both.
    public func snapshot<Payload>(
        _ request: Request<Payload>, policy: ReadPolicy? = nil
    ) async -> Snapshot<Payload> {
        let policy = effective(policy)
        if policy.looksFirst {
            let kept = await snapshot(request, mode: .storedOnly)
            let code = kept.error?.code
            // What is kept and can't be read is as good as nothing kept.
            if kept.kept != nil || kept.error?.isAnswer == true || code == .cancelled { return kept }
            if policy == .cacheOnly { return kept }
        }
        guard let mode = policy.networkMode else { return Snapshot(kept: nil, error: .nothingKept) }
        return await snapshot(request, mode: mode)
    }

    /// The value with its age, also a kept one when the refresh failed; `snapshot` tells the two
    /// apart.
    public func fetch<Payload>(
        _ request: Request<Payload>, policy: ReadPolicy? = nil
    ) async throws(ReadFailure) -> Snapshot<Payload>.Kept {
        let snapshot = await snapshot(request, policy: policy)
        if let kept = snapshot.kept { return kept }
        throw snapshot.error ?? .nothingKept
    }

    /// Calls back exactly once with value, response and error together, on the actor where the
    /// closure was formed; also when it is cancelled.
    @discardableResult
    public func snapshot<Payload>(
        _ request: Request<Payload>, policy: ReadPolicy? = nil,
        completion: @escaping @isolated(any) @Sendable (Snapshot<Payload>) -> Void
    ) -> Cancellation {
        let task = Task { await completion(await snapshot(request, policy: policy)) }
        return Cancellation { task.cancel() }
    }

    /// What is kept, at once and marked as refreshing; then what the network says; then the end.
    /// Letting go of it cancels.
    public func observe<Payload>(_ request: Request<Payload>) -> SnapshotSequence<Payload> {
        SnapshotSequence {
            // Two answers at most, and a slow reader wants both.
            let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<Payload>.self)
            let task = Task {
                let first = await snapshot(request, mode: .storedOnly)
                if let kept = first.kept {
                    continuation.yield(Snapshot(kept: kept, error: first.error, fetch: .refreshing))
                }
                let second = await snapshot(request, mode: .reload)
                continuation.yield(second.keeping(first.kept))
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
            return stream
        }
    }

    /// The answer itself, its status checked and its body still to come: for downloads, and where
    /// fields matter.
    ///
    /// The body has no limit but the reader's; `maximumBodyBytes` and `decoding` are not used.
    ///
    /// - Throws: ``ReadFailure/Code/status`` with head and a piece of the body for anything but
    ///   2xx.
    public func response<Payload>(
        to request: Request<Payload>, policy: ReadPolicy? = nil
    ) async throws(ReadFailure) -> TransportResponse {
        let policy = effective(policy)
        let addressed = try addressed(request)
        if policy.looksFirst {
            do {
                return try await send(addressed, mode: .storedOnly)
            } catch  where error.code == .nothingKept {
                // Nothing there: the network is next.
            }
        }
        guard let mode = policy.networkMode else { throw .nothingKept }
        return try await send(addressed, mode: mode)
    }

    private func effective(_ policy: ReadPolicy?) -> ReadPolicy {
        let policy = policy ?? self.policy
        return policy == .cacheThenNetwork ? .networkFirst : policy
    }
}

extension Snapshot {
    /// What was kept stays beside a failure that no cache below could answer, because it saw a good
    /// response.
    fileprivate func keeping(_ older: Kept?) -> Snapshot {
        guard kept == nil, let older, let error else { return self }
        switch error.code {
        case .tooLarge, .undecodable, .unmappable, .noData: return Snapshot(kept: older, error: error)
        default: return self
        }
    }
}
