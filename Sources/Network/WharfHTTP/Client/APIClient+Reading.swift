public import WharfCore

extension APIClient {
    /// Returns the value with its source and age, and the error of a failed refresh.
    ///
    /// Never throws: the error is part of the snapshot.
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
            // A stored response that can't be read counts as a cache miss.
            // A stored error status is an answer too, and `cacheFirst` returns it.
            if kept.kept != nil || kept.error?.isAnswer == true || code == .cancelled { return kept }
            if policy == .cacheOnly { return kept }
        }
        guard let mode = policy.networkMode else { return Snapshot(kept: nil, error: .nothingKept) }
        return await snapshot(request, mode: mode)
    }

    /// Returns the value with its source and age, or throws.
    ///
    /// A stored value is returned even if the refresh failed; use `snapshot` to see that error.
    public func fetch<Payload>(
        _ request: Request<Payload>, policy: ReadPolicy? = nil
    ) async throws(ReadFailure) -> Snapshot<Payload>.Kept {
        let snapshot = await snapshot(request, policy: policy)
        if let kept = snapshot.kept { return kept }
        throw snapshot.error ?? .nothingKept
    }

    /// Calls `completion` exactly once with value, response and error together.
    ///
    /// The call is made on the actor that isolates the closure, and is also made if the read is
    /// cancelled.
    @discardableResult
    public func snapshot<Payload>(
        _ request: Request<Payload>, policy: ReadPolicy? = nil,
        completion: @escaping @isolated(any) @Sendable (Snapshot<Payload>) -> Void
    ) -> Cancellation {
        let task = Task { await completion(await snapshot(request, policy: policy)) }
        return Cancellation { task.cancel() }
    }

    /// Returns up to two snapshots: the stored value, then the answer of the network.
    ///
    /// The stored value comes at once and is marked as refreshing. The sequence ends after the
    /// answer of the network. Releasing the sequence cancels the request.
    public func observe<Payload>(_ request: Request<Payload>) -> SnapshotSequence<Payload> {
        SnapshotSequence {
            // The default buffer is unbounded. It holds two snapshots at most, and a slow reader
            // needs both.
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
            // Releasing the sequence terminates the stream, and that ends the request.
            continuation.onTermination = { _ in task.cancel() }
            return stream
        }
    }

    /// Returns the response with its status checked and its body unread.
    ///
    /// Use it for downloads, and where header fields matter.
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
                // A cache miss: ask the network next.
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
    /// Keeps the stored value beside a failure that happened after a good response. The cache below
    /// saw that response as a success, so it did not fall back.
    fileprivate func keeping(_ older: Kept?) -> Snapshot {
        guard kept == nil, let older, let error else { return self }
        switch error.code {
        case .tooLarge, .undecodable, .unmappable, .noData: return Snapshot(kept: older, error: error)
        default: return self
        }
    }
}
