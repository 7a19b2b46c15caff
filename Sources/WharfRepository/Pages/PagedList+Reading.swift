internal import Synchronization
internal import WharfCore

extension PagedList {
    func key(_ token: PageToken?) -> PageQuery<Model> { PageQuery(query, size: size, token: token) }

    /// What is kept of the first page, then what the network says, as far as the policy wants
    /// either.
    func begin() async {
        let isEmpty = state.withLock { $0.loaded.slots.isEmpty }
        if isEmpty, !isLocal, policy.looksFirst || policy == .standard {
            guard watch(nil) else { return close() }
            let stored = await reader.ask(key(nil), .storedOnly).merged
            if policy == .cacheOnly || stored.error?.isAnswer == true {
                return change { $0.settle(stored) }
            }
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

    func run(_ purpose: LoadedPages<Model>.Purpose) async {
        do {
            try await flights.run(Load(purpose: purpose, generation: reader.generation)) { [self] closeFlight in
                await perform(purpose, closeFlight)
            }
        } catch {
            // This caller has left. The others wait on, and where there are none the request is
            // cancelled.
        }
    }

    /// - Parameter closeFlight: is called before anybody is told of the outcome: who asks then
    ///   wants to know more.
    private func perform(_ purpose: LoadedPages<Model>.Purpose, _ closeFlight: @Sendable () -> Void) async {
        let isSilent = isLocal && purpose == .refresh
        // What has been read of the store may be of before the news: the newer refresh overtakes
        // this one.
        if isSilent { closeFlight() }
        var next = change(silently: isSilent) { $0.start(purpose) }
        while let request = next {
            guard watch(request.token) else {
                change { $0.end(.closed) }
                return close()
            }
            let answer =
                Task.isCancelled ? Snapshot(kept: nil, error: .cancelled()) : await read(request)
            next = change(silently: isSilent) { loaded in
                let next = loaded.absorb(answer, for: request)
                if next == nil { closeFlight() }
                return next
            }
        }
        letGo()
        if isSilent { change { _ in } }
    }

    private func read(_ request: LoadedPages<Model>.Request) async -> Snapshot<Page<Model>> {
        let key = key(request.token)
        guard !isLocal, policy != .cacheOnly else { return await reader.ask(key, .storedOnly).merged }
        if request.purpose != .refresh, policy.fallsBack {
            let stored = await reader.ask(key, .storedOnly).merged
            if let kept = stored.kept, isGoodEnough(kept, request) { return stored }
            if reader.isOffline { return Snapshot(kept: stored.kept, error: .offline) }
        } else if reader.isOffline {
            return Snapshot(kept: nil, error: .offline)
        }
        let answer = await reader.ask(key, policy.fallsBack ? .reload : .bypass)
        return policy.fallsBack ? answer.merged : answer.raw
    }

    /// A page from before the one in front of it was read would leave out what has moved from the
    /// one to the other since.
    private func isGoodEnough(_ kept: Snapshot<Page<Model>>.Kept, _ request: LoadedPages<Model>.Request) -> Bool {
        if policy == .cacheFirst { return true }
        return !request.isAgain && kept.isFresh(at: reader.clock.now())
            && request.notBefore.map { kept.asOf >= $0 } ?? true
    }
}
