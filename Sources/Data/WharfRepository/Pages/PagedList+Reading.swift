internal import Synchronization
internal import WharfCore

extension PagedList {
    func key(_ token: PageToken?) -> PageQuery<Model> { PageQuery(query, size: size, token: token) }

    /// Shows the kept first page, then asks the network, as the policy says.
    func begin() async {
        let isEmpty = state.withLock { $0.loaded.slots.isEmpty }
        if isEmpty, !isLocal, policy.looksFirst || policy == .standard {
            // Watched before it is read. A commit between the two would otherwise tell no list.
            guard watch(nil) else { return close() }
            let stored = await reader.ask(key(nil), .storedOnly).merged
            // The store alone decides, or the origin has given its final answer. No request
            // follows.
            if policy == .cacheOnly || stored.error?.isAnswer == true {
                return change { $0.settle(stored) }
            }
            // Silent: the observers are told once, with the state of the refresh.
            change(silently: true) { $0.begin(stored) }
        }
        if isSettled { change { _ in } } else { await refresh() }
    }

    private var isSettled: Bool {
        let (hasPages, error, isFresh) = state.withLock { state in
            (!state.loaded.slots.isEmpty, state.loaded.error, state.loaded.isFresh(at: reader.clock.now()))
        }
        return switch policy {
        case .cacheOnly, .cacheFirst: hasPages
        case .standard: isFresh && error == nil
        default: false
        }
    }

    func run(_ kind: LoadedPages<Model>.LoadKind) async {
        do {
            try await flights.run(Load(kind: kind, generation: reader.generation)) { [self] closeFlight in
                await perform(kind, closeFlight)
            }
        } catch {
            // This caller has left. If others wait, the request goes on; otherwise it is cancelled.
        }
    }

    /// - Parameter closeFlight: called before an observer is told of the outcome. A reader that
    ///   asks after that wants to know more.
    private func perform(_ kind: LoadedPages<Model>.LoadKind, _ closeFlight: @Sendable () -> Void) async {
        let isSilent = isLocal && kind == .refresh
        // Pages that were read from the store may be older than the news. So a newer refresh does
        // not join this one, and overtakes it.
        if isSilent { closeFlight() }
        var next = change(silently: isSilent) { $0.start(kind) }
        while let request = next {
            guard watch(request.token) else {
                change { $0.end(.closed) }
                return close()
            }
            let answer =
                // All callers have left. The request is ended without a read, but its bookkeeping
                // must be undone.
                Task.isCancelled ? Snapshot(kept: nil, error: .cancelled()) : await read(request)
            next = change(silently: isSilent) { loaded in
                let next = loaded.absorb(answer, for: request)
                // Under the lock and before the observers are told. A caller that asks after the
                // news would otherwise join this load and get nothing newer.
                if next == nil { closeFlight() }
                return next
            }
        }
        letGo()
        // The pages of a query over the store are told once, when all are there.
        if isSilent { change { _ in } }
    }

    private func read(_ request: LoadedPages<Model>.Request) async -> Snapshot<Page<Model>> {
        let key = key(request.token)
        guard !isLocal, policy != .cacheOnly else { return await reader.ask(key, .storedOnly).merged }
        var look: Reader.AppliedAnswer?
        if request.kind != .refresh, policy.fallsBack {
            let landed = await reader.ask(key, .storedOnly)
            let stored = landed.merged
            if let kept = stored.kept, isGoodEnough(kept, request) { return stored }
            if reader.isOffline { return Snapshot(kept: stored.kept, error: .offline) }
            // The key is watched, so it has been held since the look.
            look = landed
        } else if reader.isOffline {
            return Snapshot(kept: nil, error: .offline)
        }
        let answer = await reader.ask(key, policy.fallsBack ? .reload : .bypass, after: look)
        return policy.fallsBack ? answer.merged : answer.raw
    }

    /// Returns whether a kept page can be taken without asking the network.
    ///
    /// A page that was read before the one in front of it is not enough. It would leave out
    /// entities that have moved from the one to the other since.
    private func isGoodEnough(_ kept: Snapshot<Page<Model>>.Kept, _ request: LoadedPages<Model>.Request) -> Bool {
        if policy == .cacheFirst { return true }
        return !request.isAgain && kept.isFresh(at: reader.clock.now())
            && request.notBefore.map { kept.asOf >= $0 } ?? true
    }
}
